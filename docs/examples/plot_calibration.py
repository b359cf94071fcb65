"""
Do the probabilities hold?
==========================

Where a model says 90 %, does it happen in nine of ten cases? Reliability curves, and the Brier score's parts.
"""

# %%
# Out-of-fold probabilities of every sample, so that no model is asked about samples it was trained on.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.metrics import brier_decomposition, log_loss
from skeval.model_selection import KFoldSplit
from skeval.plotting import ReliabilityDisplay

X, y = load_breast_cancer(return_X_y=True)
models = {"logistic": make_pipeline(StandardScaler(), LogisticRegression()), "naive Bayes": GaussianNB()}
cv = KFoldSplit(10, random_state=0)
said = {
    name: cross_val_predict(model, X, y, cv=cv, method="predict_proba")[:, 1]
    for name, model in models.items()
}
for name, probability in said.items():
    parts = brier_decomposition(y, probability, n_bins=10)
    print(
        f"{name}: log loss {log_loss(y, probability):.3f}, Brier score {parts.brier_score:.3f}, "
        f"reliability {parts.reliability:.4f}, resolution {parts.resolution:.3f}"
    )

# %%
# To conclude: the logistic regression means what it says. Naive Bayes is too sure of itself: it takes
# features that measure the same thing for independent evidence, and its probabilities lie near 0 and 1.

ax = None
for name, probability in said.items():
    ax = ReliabilityDisplay.from_predictions(y, probability, n_bins=5, name=name, ax=ax).ax_
