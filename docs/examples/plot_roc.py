"""
ROC curves with an interval
===========================

Two classifiers on one test set: curves, areas with intervals, and DeLong's test of their difference.
"""

# %%
# The intervals are those of the two fitted models on this test set.

from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.comparison import delong_test
from skeval.intervals import auc_interval
from skeval.plotting import RocDisplay

X, y = load_breast_cancer(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.5, stratify=y, random_state=0)
models = {"naive Bayes": GaussianNB(), "tree": DecisionTreeClassifier(max_depth=3, random_state=0)}
scores = {name: model.fit(X_train, y_train).predict_proba(X_test)[:, 1] for name, model in models.items()}
for name, score in scores.items():
    low, high = auc_interval(y_test, score)
    print(f"{name}: 95% interval {low:.3f} to {high:.3f}")
print(delong_test(y_test, scores["naive Bayes"], scores["tree"]))

# %%
# False positive rate across, true positive rate up. Samples of equal score move both at once: the tree has
# few distinct scores, and its curve long slanted lines.

ax = None
for name, score in scores.items():
    ax = RocDisplay.from_predictions(y_test, score, name=name, ax=ax).ax_
