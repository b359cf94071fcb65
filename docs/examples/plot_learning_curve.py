"""
Would more samples help?
========================

A learning curve of a classifier of handwritten digits, with a verdict from standard errors.
"""

# %%
# Training and CV error at growing numbers of samples, against the error of 5 % that is asked for.

from sklearn.datasets import load_digits
from sklearn.tree import DecisionTreeClassifier

from skeval.diagnosis import diagnose_learning_curve
from skeval.plotting import LearningDiagnosisDisplay

X, y = load_digits(return_X_y=True)
result = diagnose_learning_curve(
    DecisionTreeClassifier(random_state=0), X, y, target_error=0.05, random_state=0
)
print(result.verdict)
for reason in result.reasons:
    print("-", reason)
print("remedies:", ", ".join(result.remedies))

# %%
# To conclude: the tree fits its training samples and errs on new ones. More samples help, and so would a
# method that averages trees.

LearningDiagnosisDisplay.from_result(result)
