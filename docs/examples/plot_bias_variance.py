"""
Bias and variance of a tree
===========================

Shallow trees err in the same way on every training set, deep ones in another way on each.
"""

# %%
# Each depth is trained on the same bootstrap samples. The parts add up to the loss.

from sklearn.datasets import load_diabetes
from sklearn.tree import DecisionTreeRegressor

from skeval.diagnosis import bias_variance_curve
from skeval.plotting import BiasVarianceDisplay

X, y = load_diabetes(return_X_y=True)
curve = bias_variance_curve(
    DecisionTreeRegressor(random_state=0),
    X,
    y,
    param_name="max_depth",
    param_range=[1, 2, 3, 4, 6, 8, 12],
    n_splits=100,
    random_state=0,
)
print("lowest loss at depth", curve.best_value)
for result in curve.results[::3]:
    print(result)

# %%

BiasVarianceDisplay.from_result(curve)
