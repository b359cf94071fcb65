"""
Many methods on many data sets
==============================

Friedman's test over data sets, then a critical-difference diagram that shows which methods differ.
"""

# %%
# One score for each method and data set: the mean accuracy over the same splits. The data sets are those
# that scikit-learn ships, and parts of one of them; for a study they should be independent, and more.

from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import compare_scores
from skeval.model_selection import KFoldSplit
from skeval.plotting import CriticalDifferenceDisplay

X, y = load_digits(return_X_y=True)
datasets = {
    name: load(return_X_y=True)
    for name, load in {"iris": load_iris, "wine": load_wine, "breast cancer": load_breast_cancer}.items()
}
for low, high in [(0, 1), (2, 3), (4, 5), (6, 7), (8, 9)]:
    rows = (y == low) | (y == high)
    datasets[f"digits {low} or {high}"] = X[rows], y[rows]

methods = {
    "majority": DummyClassifier(),
    "tree": DecisionTreeClassifier(random_state=0),
    "naive Bayes": GaussianNB(),
    "5 neighbors": KNeighborsClassifier(),
    "logistic": LogisticRegression(max_iter=1000),
}
cv = KFoldSplit(5, random_state=0)
scores = {}
for name, model in methods.items():
    scaled = make_pipeline(StandardScaler(), model)
    scores[name] = [cross_val_score(scaled, X, y, cv=cv).mean() for X, y in datasets.values()]

# %%
# Friedman's test says whether the methods rank differently at all; Nemenyi's test says which.

result = compare_scores(scores)
print(result.omnibus)
for group in result.groups():
    print("not shown to differ:", ", ".join(group))

# %%
# The bar joins methods that are not shown to differ.

CriticalDifferenceDisplay.from_result(result)
