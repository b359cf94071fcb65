"""
Better, or as good?
===================

Two methods over data sets, and three probabilities: one is better, both are equivalent, the other is better.
"""

# %%
# One score for each method and data set. Half a percentage point counts as no difference; that is decided
# before the scores are seen.

from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.comparison import bayes_signed_rank_test, wilcoxon_test
from skeval.model_selection import KFoldSplit
from skeval.plotting import PosteriorDisplay

digits, digit = load_digits(return_X_y=True)
datasets = [load(return_X_y=True) for load in (load_iris, load_wine, load_breast_cancer)]
for low in range(9):
    pair = (digit == low) | (digit == low + 1)
    datasets.append((digits[pair], digit[pair]))
methods = {"logistic": LogisticRegression(), "5 neighbors": KNeighborsClassifier()}
cv = KFoldSplit(5, random_state=0)
scores = {
    name: [cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=cv).mean() for X, y in datasets]
    for name, model in methods.items()
}
print(wilcoxon_test(scores["logistic"], scores["5 neighbors"]))

# %%
# A p-value above 0.05 leaves open whether the methods are equal or the data sets too few. The posterior
# tells the two apart: each point is a draw of the three probabilities.

posterior = bayes_signed_rank_test(scores["logistic"], scores["5 neighbors"], rope=0.005, random_state=0)
print(posterior)

# %%
# To conclude: on data sets like these the two are equivalent, with a probability of .86.

PosteriorDisplay.from_result(posterior, names=tuple(methods))
