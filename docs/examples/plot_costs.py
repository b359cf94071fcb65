"""
A cut-off for unequal costs
===========================

A missed tumor costs twenty false alarms. The cut-off of 1/2 is then not the one to run at.
"""

# %%
# Out-of-fold probabilities choose the cut-off. The costs are those of the samples that it is chosen on, so
# the cost found at the best one is a little too low; measure it on samples of their own.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.metrics import RankedScores, cost_sensitive_error
from skeval.model_selection import KFoldSplit

X, target = load_breast_cancer(return_X_y=True)
malignant = 1 - target
model = make_pipeline(StandardScaler(), LogisticRegression())
cv = KFoldSplit(10, random_state=0)
score = cross_val_predict(model, X, malignant, cv=cv, method="predict_proba")[:, 1]
ranked = RankedScores.from_predictions(malignant, score)
best = ranked.threshold("cost", cost_fn=20, cost_fp=1, prevalence=malignant.mean())


def cost(cut):
    return cost_sensitive_error(malignant, score >= cut, cost=[[0, 1], [20, 0]], labels=[0, 1])


print(f"from 0.5 on: {cost(0.5):.3f} per sample; from {best:.3f} on: {cost(best):.3f}")

# %%
# To conclude: call a tumor malignant from a probability of a few hundredths on.

cuts = np.linspace(0.005, 0.8, 160)
figure, ax = plt.subplots(figsize=(7, 3.2), layout="constrained")
ax.plot(cuts, [cost(cut) for cut in cuts])
ax.axvline(0.5, color="0.5", linestyle="--", label="cut-off 1/2")
ax.axvline(best, color="C1", label=f"cut-off {best:.3f}")
ax.set(xlabel="cut-off of the probability", ylabel="cost per sample", ylim=(0, None))
ax.legend()
