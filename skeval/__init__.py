"""Model evaluation for scikit-learn: how good is this model, and is it really better?

Import from the rooms; the root holds the version only.

- ``skeval.metrics``: confusion matrices, ranked scores, scorers.
- ``skeval.model_selection``: splitters, scores per split, .632 and .632+.
- ``skeval.comparison``: tests that read what scikit-learn returned.
- ``skeval.plotting``: Displays of results.
- ``skeval.exceptions``: warnings and errors a user may catch.
"""

__version__ = "0.1.0.dev0"
