"""Model evaluation for scikit-learn: how good is this model, and is it really better?

Import from the rooms; the root holds the version only.

- ``skeval.metrics``: confusion matrices, ranked scores, scorers.
- ``skeval.model_selection``: splitters, scores per split, .632 and .632+.
- ``skeval.intervals``: confidence intervals of any measure, and of the generalization error.
- ``skeval.comparison``: tests that read what scikit-learn returned.
- ``skeval.diagnosis``: bias and variance, learning curves that say what to do.
- ``skeval.plotting``: Displays of results.
- ``skeval.benchmarking``: many estimators on many data sets, stored and resumed.
- ``skeval.exceptions``: warnings and errors a user may catch.
"""

__version__ = "0.1.0.dev0"
