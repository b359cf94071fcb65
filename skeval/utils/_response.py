"""What a fitted estimator says of X, by the first response method that it has."""

from __future__ import annotations

from typing import Any

import numpy as np

THRESHOLD_METHODS = ("decision_function", "predict_proba")


def response_values(
    estimator: Any,
    X: Any,
    *,
    response_method: str | tuple[str, ...] = THRESHOLD_METHODS,
    pos_label: Any = None,
) -> tuple[Any, Any]:
    """Return the response of `estimator` and the label that counts as positive.

    For a binary classifier a score is 1-D and belongs to `pos_label` (None:
    ``classes_[1]``): the column of ``predict_proba`` is chosen by it and
    ``decision_function`` is negated when it is ``classes_[0]``.
    """
    names = (response_method,) if isinstance(response_method, str) else tuple(response_method)
    for name in names:
        method = getattr(estimator, name, None)
        if method is not None:
            break
    else:
        raise AttributeError(
            f"{estimator.__class__.__name__} has none of {', '.join(names)}, which this measure needs."
        )
    values, classes = method(X), getattr(estimator, "classes_", None)
    if name == "predict_proba" and classes is not None and len(classes) == 1:
        raise ValueError(
            f"{estimator.__class__.__name__} was fitted on one class only ({classes[0]!r}): "
            "its scores rank nothing."
        )
    if name == "predict" or classes is None or len(classes) != 2:
        return values, pos_label
    pos_label = classes[1] if pos_label is None else pos_label
    found = np.flatnonzero(np.asarray(classes) == pos_label)
    if len(found) != 1:
        raise ValueError(f"pos_label={pos_label!r} is not one of the classes {list(classes)}.")
    column = int(found[0])
    if name == "predict_proba":
        return values[:, column], pos_label
    return (values if column == 1 else -values), pos_label
