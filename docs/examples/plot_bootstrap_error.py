"""
Few samples: .632+
==================

Sixty wines, and the error of a nearest neighbor: a hold-out tests on 18 of them, the bootstrap on all.
"""

# %%
# The resubstitution error is 0, since each sample is its own neighbor. The out-of-bag error is of models that
# saw 63 % of the samples; .632+ weighs the two by how much the model overfits.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_wine
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import resample

from skeval.model_selection import HoldOutSplit, bootstrap_error, combine_bootstrap_error

X, y = load_wine(return_X_y=True)
rows = resample(np.arange(len(y)), n_samples=60, replace=False, stratify=y, random_state=0)
left = np.setdiff1d(np.arange(len(y)), rows)
model = make_pipeline(StandardScaler(), KNeighborsClassifier(1))
found = bootstrap_error(model, X[rows], y[rows], n_splits=1000, random_state=0)
errors = (found.resubstitution, found.leave_one_out, found.no_information)
estimates = {method: combine_bootstrap_error(*errors, method=method) for method in ("oob", ".632", ".632+")}
print(f"resubstitution: {found.resubstitution:.3f}")
for method, error in estimates.items():
    print(f"{method}: {error:.3f}")
held_out = 1 - cross_val_score(model, X[rows], y[rows], cv=HoldOutSplit(200, random_state=0))
fresh = 1 - model.fit(X[rows], y[rows]).score(X[left], y[left])

# %%
# To conclude: single hold-outs say anything from 0 to a quarter. The bootstrap estimates lie near the error
# on the 118 wines that were put aside.

figure, ax = plt.subplots(figsize=(7, 3), layout="constrained")
ax.hist(held_out, bins=np.arange(-0.5, 7) / 18, color="0.8", label="200 single hold-outs")
styles = {"oob": ":", ".632": "-.", ".632+": "-"}
for number, (method, error) in enumerate(estimates.items()):
    ax.axvline(error, color=f"C{number}", linestyle=styles[method], label=method)
ax.axvline(fresh, color="black", linestyle="--", label=f"on {len(left)} other wines")
ax.set(xlabel="error", ylabel="hold-outs")
ax.legend()
