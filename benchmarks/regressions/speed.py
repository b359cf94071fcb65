"""Times that must not grow from commit to commit: ``asv continuous HEAD~1 HEAD`` in benchmarks/."""

import numpy as np

from skeval.comparison import delong_test, friedman_test, mcnemar_test
from skeval.metrics import ConfusionMatrix, RankedScores


class Speed:
    """One method for each work, on small and large inputs."""

    params = (1_000, 1_000_000)

    def setup(self, n):
        generator = np.random.default_rng(0)
        self.y, self.a, self.b = generator.integers(0, 2, (3, n))
        self.score = generator.normal(size=n) + self.y
        self.table = generator.random((30, 8))

    def time_confusion_matrix(self, n):
        ConfusionMatrix.from_predictions(self.y, self.a).mcc()

    def time_auc(self, n):
        RankedScores.from_predictions(self.y, self.score).roc_auc()

    def time_bootstrap(self, n):
        ConfusionMatrix.from_predictions(self.y, self.a).bootstrap("f1", 999, random_state=0)

    def time_mcnemar(self, n):
        mcnemar_test(self.y, self.a, self.b)

    def time_delong(self, n):
        delong_test(self.y, self.score, self.score + self.a)

    def time_friedman(self, n):
        friedman_test(self.table)
