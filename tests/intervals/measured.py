"""Data, names of measures and designs that the tests of metric_interval share."""

from skeval.metrics._measure_names import AVERAGED_MEASURES, LABEL_MEASURES

LABEL_NAMES = sorted(
    [name for name in LABEL_MEASURES if not name.startswith("cost_")]
    + list(AVERAGED_MEASURES)
    + [f"{name}_{average}" for name in AVERAGED_MEASURES for average in ("macro", "micro", "weighted")]
)

DESIGN = {"other": None, "groups": None, "sample_weight": None, "importance": False, "stratify": False}
ASK = {"n_resamples": 4999, "random_state": 0}
