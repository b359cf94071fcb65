"""Mistakes of a user that a type checker must find: each line that is marked, and no other."""

from skeval.comparison import critical_difference, critical_errors
from skeval.intervals import proportion_interval
from skeval.metrics import ConfusionMatrix, RankedScores, error_rate
from skeval.model_selection import KFoldSplit

critical_difference(4, "10")  # mistake: arg-type
critical_errors(100, 0.3)  # mistake: call-arg, misc
error_rate([0, 1])  # mistake: call-arg
KFoldSplit(10, 2)  # mistake: call-arg, misc
RankedScores.from_predictions([0, 1], [0.1, 0.9]).roc_aux()  # mistake: attr-defined
text: str = error_rate([0, 1], [0, 1])  # mistake: assignment
proportion_interval(3, 10, method=None)  # mistake: arg-type
ConfusionMatrix([[1, 0], [0, 1]]).f_score("two")  # mistake: arg-type
