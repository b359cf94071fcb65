"""
A benchmark with its table
==========================

Four methods on eight data sets: one call runs them, and the result has the table, the tests and a report.
"""

# %%
# With ``store="results.db"`` the run can be stopped and taken up again.

from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from skeval.benchmarking import Benchmark
from skeval.model_selection import KFoldSplit
from skeval.plotting import CriticalDifferenceDisplay

X, y = load_digits(return_X_y=True)
datasets = {"iris": load_iris(), "wine": load_wine(), "cancer": load_breast_cancer()}
for low in (0, 2, 4, 6, 8):
    pair = (y == low) | (y == low + 1)
    datasets[f"digits {low}, {low + 1}"] = X[pair], y[pair]
methods = {
    "tree": DecisionTreeClassifier(),
    "bayes": GaussianNB(),
    "neighbors": make_pipeline(StandardScaler(), KNeighborsClassifier()),
    "linear": make_pipeline(StandardScaler(), LogisticRegression()),
}
result = Benchmark(methods, datasets, cv=KFoldSplit(5, random_state=0), scoring=["accuracy"]).run()
print(result.to_markdown("accuracy"))

# %%
# The best of each row is bold; ≈ marks what is not shown to differ from it by a test on the splits. Over
# the data sets, by ranks:

comparison = result.compare("accuracy")
print(comparison.omnibus)

# %%
# To conclude: the linear method is better than the tree and naive Bayes on data sets like these; whether it
# is better than the neighbors, eight data sets do not tell. ``result.report("report.html")`` writes all of
# it, with intervals and run times, into one file.

CriticalDifferenceDisplay.from_result(comparison)
