"""
Two models on one data set
==========================

Ten repeats of 5-fold cross-validation, the corrected t-test, and the probabilities that a reader asks for.
"""

# %%
# Both models are scored on the same splits. ``return_indices=True`` lets the test read the sizes of the
# splits and check that they are the same.

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skeval.comparison import corrected_resampled_ttest, correlated_bayes_ttest
from skeval.model_selection import KFoldSplit
from skeval.plotting import PosteriorDisplay

X, y = load_breast_cancer(return_X_y=True)
options = {"cv": KFoldSplit(5, n_repeats=10, random_state=0), "return_indices": True}
linear = cross_validate(make_pipeline(StandardScaler(), LogisticRegression()), X, y, **options)
bayes = cross_validate(GaussianNB(), X, y, **options)

# %%
# The folds share training rows. The test allows for it; a plain paired t-test would not.

result = corrected_resampled_ttest(linear, bayes)
print(result)
print(result.confidence_interval())

# %%
# Is the difference large enough to matter? Below one percentage point the two count as equal here.

posterior = correlated_bayes_ttest(linear, bayes, rope=0.01)
print(posterior)
PosteriorDisplay.from_result(posterior, names=("logistic regression", "naive Bayes"))
