"""Splitters, and what is made from splits."""

from skeval.model_selection._bootstrap import BootstrapSplit
from skeval.model_selection._bootstrap_cells import bootstrap_error_from_results
from skeval.model_selection._bootstrap_error import bootstrap_error
from skeval.model_selection._bootstrap_formulas import combine_bootstrap_error
from skeval.model_selection._bootstrap_result import BootstrapErrorResult
from skeval.model_selection._cv_scores import CVScores
from skeval.model_selection._evaluation import Evaluation, OutOfFold
from skeval.model_selection._grids import count_fits, parameter_range
from skeval.model_selection._hold_out import HoldOutSplit, three_way_split
from skeval.model_selection._k_fold import FiveByTwoSplit, KFoldSplit
from skeval.model_selection._nested import NestedCVResult, nested_cross_validate
from skeval.model_selection._out_of_fold import evaluate
from skeval.model_selection._refit import BestMeanRefit, Bootstrap632Refit
from skeval.model_selection._resubstitution import WithResubstitution
from skeval.model_selection._selection_bias import SelectionBias, selection_bias
from skeval.model_selection._selection_rules import NotWorseRefit, OneStandardErrorRefit
from skeval.model_selection._variance_parts import VarianceParts, variance_parts

__all__ = [
    "BestMeanRefit",
    "Bootstrap632Refit",
    "BootstrapErrorResult",
    "BootstrapSplit",
    "CVScores",
    "Evaluation",
    "FiveByTwoSplit",
    "HoldOutSplit",
    "KFoldSplit",
    "NestedCVResult",
    "NotWorseRefit",
    "OneStandardErrorRefit",
    "OutOfFold",
    "SelectionBias",
    "VarianceParts",
    "WithResubstitution",
    "bootstrap_error",
    "bootstrap_error_from_results",
    "combine_bootstrap_error",
    "count_fits",
    "evaluate",
    "nested_cross_validate",
    "parameter_range",
    "selection_bias",
    "three_way_split",
    "variance_parts",
]
