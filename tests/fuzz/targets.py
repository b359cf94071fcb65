"""What is fuzzed: each target takes bytes or values, and may only raise what is documented."""

import contextlib
import io
import tempfile
import traceback
import warnings
from pathlib import Path
from unittest import mock

import numpy as np

import skeval
from skeval.benchmarking import _experiment_file
from skeval.cli import main
from skeval.comparison import friedman_test, mcnemar_test, wilcoxon_test
from skeval.exceptions import SkevalWarning
from skeval.intervals import auc_interval, proportion_interval
from skeval.metrics import ConfusionMatrix, RankedScores, error_rate, log_loss, ovr_auc_score

PACKAGE = str(Path(skeval.__file__).parent)


def only_documented(call, *arguments, **options):
    """Call; a refusal must be a ValueError or TypeError with words, raised by the package itself."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.simplefilter("ignore", SkevalWarning)
        try:
            return call(*arguments, **options)
        except (ValueError, TypeError) as error:
            refused = error
    last = traceback.extract_tb(refused.__traceback__)[-1]
    assert len(str(refused).split()) >= 4, f"no words: {refused!r}"
    assert last.filename.startswith(PACKAGE), f"not a message of the package: {refused!r}, {last}"
    return None


def command(name, content, *more):
    """Run a command on a file with this content: status 0, or 2 and one line of words."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "input.csv"
        path.write_bytes(content)
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = main([name, str(path), *(word.replace("FOLDER", folder) for word in more)])
    assert status in (0, 2), (status, err.getvalue())
    assert "Traceback" not in err.getvalue()
    if status == 2:
        assert err.getvalue().startswith("skeval: ")
    return status


def score_file(content):
    """``skeval score``: a file of predictions."""
    return command("score", content)


def experiment_file(content):
    """An experiment in TOML; what its import paths name is not imported here."""

    def refuse(path):
        raise ValueError(f"no import of {path!r} in this test")

    with tempfile.TemporaryDirectory() as folder, mock.patch.object(_experiment_file, "_look_up", refuse):
        path = Path(folder) / "experiment.toml"
        path.write_bytes(content)
        return only_documented(_experiment_file.read_experiment, path)


def values_as_labels(y_true, y_pred):
    only_documented(error_rate, y_true, y_pred)
    only_documented(ConfusionMatrix.from_predictions, y_true, y_pred)
    only_documented(mcnemar_test, y_true, y_pred, y_true)


def values_as_scores(y_true, y_score):
    ranked = only_documented(RankedScores.from_predictions, y_true, y_score)
    if ranked is not None:
        area = only_documented(ranked.roc_auc)
        assert area is None or np.isnan(area) or 0 <= area <= 1
    only_documented(log_loss, y_true, y_score)
    only_documented(ovr_auc_score, y_true, y_score)
    only_documented(auc_interval, y_true, y_score)


def values_as_tables(table, other):
    only_documented(friedman_test, table)
    only_documented(wilcoxon_test, table, other)
    only_documented(ConfusionMatrix, table)
    only_documented(proportion_interval, table, other)


BYTES = {"score": score_file, "experiment": experiment_file}
VALUES = {"labels": values_as_labels, "scores": values_as_scores, "tables": values_as_tables}
