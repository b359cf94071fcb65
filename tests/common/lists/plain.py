"""Public names that take no data: small functions of parameters, errors and warnings."""

from sklearn.model_selection import KFold

from skeval import exceptions
from skeval.benchmarking import StoreBusyError, StoreError
from skeval.metrics import get_scorer_names, needs_pos_label
from skeval.model_selection import count_fits, parameter_range

# Calls, and what comes back, by the words of the docstring.
PLAIN = {
    "parameter_range": (lambda: parameter_range(0, 0.2, 0.05).tolist(), [0.0, 0.05, 0.1, 0.15, 0.2]),
    "count_fits": (lambda: count_fits({"C": [1, 10], "gamma": [1, 2, 3]}, KFold(10)), 60),
    "get_scorer_names": (lambda: get_scorer_names() == sorted(set(get_scorer_names())), True),
    "needs_pos_label": (lambda: [needs_pos_label("f1"), needs_pos_label("f1_macro")], [True, False]),
}

# Each with the class that a user may catch instead.
ERRORS = {
    exceptions.SkevalWarning: UserWarning,
    exceptions.UndefinedMeasureWarning: exceptions.SkevalWarning,
    exceptions.DegenerateDataWarning: exceptions.SkevalWarning,
    exceptions.DependenceWarning: exceptions.SkevalWarning,
    exceptions.StratificationWarning: exceptions.SkevalWarning,
    exceptions.ResamplingWarning: exceptions.SkevalWarning,
    exceptions.MissingScoreError: ValueError,
    exceptions.SplitMismatchError: ValueError,
    StoreError: Exception,
    StoreBusyError: Exception,
}
