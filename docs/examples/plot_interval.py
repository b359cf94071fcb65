"""
How sure is an accuracy?
========================

One method, one data set: the scores of the splits, and two intervals, of which one is an interval.
"""

# %%
# Ten folds, five times. Any two training parts share most of their samples, so the fifty scores are not fifty
# independent draws. The mean with sd/sqrt(50) takes them for that; the corrected interval does not.

import matplotlib.pyplot as plt
from scipy import stats
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.intervals import interval_from_results
from skeval.model_selection import KFoldSplit

X, y = load_breast_cancer(return_X_y=True)
model = make_pipeline(StandardScaler(), LogisticRegression())
results = cross_validate(model, X, y, cv=KFoldSplit(10, n_repeats=5, random_state=0), return_indices=True)
scores = results["test_score"]
naive = stats.t.interval(0.95, len(scores) - 1, loc=scores.mean(), scale=stats.sem(scores))
found = interval_from_results(results)
print(found)
print(f"as if the splits were independent: {naive[0]:.4f} to {naive[1]:.4f}")

# %%
# To conclude: the accuracy is .98, and may be a point and a half lower. The interval that neglects what the
# splits share is less than half as long, and too short.

figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
ax.hist(scores, bins=12, color="0.8", label="50 splits")
rows = [("corrected", found.low, found.high, "C0"), ("independent", *naive, "C3")]
for height, (name, low, high, color) in zip((-1, -2), rows, strict=True):
    ax.plot([low, high], [height, height], color=color, linewidth=4, label=f"95% interval, {name}")
ax.set(xlabel="accuracy", ylabel="splits", ylim=(-3, None), yticks=[0, 5, 10, 15])
ax.legend(loc="upper left")
