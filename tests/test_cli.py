"""The command: what it prints and writes, and what it says of bad input."""

import csv
import os
import subprocess
import sys

import matplotlib.image
import matplotlib.pyplot as plt
import numpy as np
import pytest
from sklearn.metrics import average_precision_score, f1_score, roc_auc_score

import skeval
from skeval.cli import main
from skeval.utils import _optional

plt.switch_backend("Agg")

# Demsar 2006, Table 6: AUC of C4.5 with four settings on 14 data sets.
DEMSAR = """\
data set,C4.5,C4.5+m,C4.5+cf,C4.5+m+cf
adult (sample),0.763,0.768,0.771,0.798
breast cancer,0.599,0.591,0.590,0.569
breast cancer wisconsin,0.954,0.971,0.968,0.967
cmc,0.628,0.661,0.654,0.657
ionosphere,0.882,0.888,0.886,0.898
iris,0.936,0.931,0.916,0.931
liver disorders,0.661,0.668,0.609,0.685
lung cancer,0.583,0.583,0.563,0.625
lymphography,0.775,0.838,0.866,0.875
mushroom,1.000,1.000,1.000,1.000
primary tumor,0.940,0.962,0.965,0.962
rheum,0.619,0.666,0.614,0.669
voting,0.972,0.981,0.975,0.975
wine,0.957,0.978,0.946,0.970
"""


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    """Return a function that runs the command in an empty folder: (status, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    plt.close("all")

    def call(*arguments, **files):
        for name, text in files.items():
            data = text if isinstance(text, bytes) else text.encode()
            (tmp_path / f"{name}.csv").write_bytes(data)
        status = main([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        return status, captured.out, captured.err

    return call


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def is_picture(path):
    """Return whether the file is a picture on which something is drawn."""
    return np.ptp(matplotlib.image.imread(path)) > 0.5


def refused(result, *words):
    """Check that bad input gave status 2, nothing on stdout, one line on stderr with the words."""
    status, out, err = result
    assert (status, out) == (2, "")
    assert err.startswith("skeval: ")
    assert err.count("\n") == 1
    for word in words:
        assert word in err
    return True


class TestUsage:
    def test_version(self, run):
        assert run("--version") == (0, f"skeval {skeval.__version__}\n", "")

    def test_help_names_every_command(self, run):
        status, out, _ = run("--help")
        assert status == 0
        assert all(command in out for command in ("demo", "compare", "score"))

    @pytest.mark.parametrize("command", ["demo", "compare", "score"])
    def test_help_of_a_command_has_an_example(self, run, command):
        status, out, _ = run(command, "--help")
        assert status == 0
        assert f"example:\n  skeval {command} " in out

    @pytest.mark.parametrize(
        "arguments",
        [
            (),
            ("evaluate",),
            ("compare",),
            ("compare", "t.csv", "--alpha", "5"),
            ("compare", "t.csv", "--alpha", "x"),
            ("demo", "--repeats", "0"),
            ("demo", "--n-jobs", "0"),
            ("demo", "extra"),
        ],
    )
    def test_bad_usage_is_status_2(self, run, arguments):
        status, out, err = run(*arguments)
        assert (status, out) == (2, "")
        assert "usage: skeval" in err

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("demo", "--n-jobs", "0"), "--n-jobs: must be a whole number other than 0; -1 is one per core"),
            (("demo", "--repeats", "0"), "--repeats: must be a whole number of at least 1, got '0'"),
            (("demo", "--repeats", "1.5"), "--repeats: must be a whole number of at least 1, got '1.5'"),
            (("run", "e.toml", "--n-jobs", "0"), "--n-jobs: must be a whole number other than 0"),
            (("run", "e.toml", "--time-limit", "nan"), "--time-limit: must be a number above 0, got 'nan'"),
            (
                ("run", "e.toml", "--memory-limit", "much"),
                "--memory-limit: must be a number above 0, got 'much'",
            ),
            (("run", "e.toml", "--wait", "-1"), "--wait: must be a number of at least 0, got '-1'"),
            (
                ("compare", "t.csv", "--alpha", "x"),
                "--alpha: must be a number strictly between 0 and 1, got 'x'",
            ),
            (
                ("report", "s.db", "--alpha", "5"),
                "--alpha: must be a number strictly between 0 and 1, got '5'",
            ),
        ],
    )
    def test_a_number_that_cannot_be_is_told_in_plain_words(self, run, arguments, words):
        status, _, err = run(*arguments)
        assert status == 2
        assert words in err

    def test_runs_as_a_module_and_answers_at_once(self):
        told = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "skeval", "--version"],
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout == f"skeval {skeval.__version__}\n"
        assert "sklearn" not in told.stderr

    def test_a_name_that_the_terminal_cannot_show_is_escaped(self, tmp_path):
        (tmp_path / "p.csv").write_text("y_true,y_pred\n病,病\nwell,病\n", encoding="utf-8")
        told = subprocess.run(
            [sys.executable, "-m", "skeval", "score", str(tmp_path / "p.csv")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONIOENCODING": "ascii"},
        )
        assert r"\u75c5" in told.stdout

    def test_a_reader_that_goes_away_is_no_error(self, tmp_path):
        # More lines than a pipe holds (64 KiB on Linux): the command is still writing when head has gone.
        labels = [f"{number:04d}_{'a' * 30}" for number in range(60)]
        (tmp_path / "p.csv").write_text("\n".join(["y_true,y_pred", *(f"{name},{name}" for name in labels)]))
        program = (
            f"{sys.executable} -m skeval score {tmp_path / 'p.csv'} | head -n 1; echo ${{PIPESTATUS[0]}}"
        )
        told = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=False)
        assert told.stderr == ""
        assert told.stdout == f"{tmp_path / 'p.csv'}: 60 samples\n0\n"


class TestCompare:
    def test_demsars_table(self, run):
        status, out, err = run("compare", "t.csv", "--output", "out", t=DEMSAR)
        assert (status, err) == (0, "")
        assert "4 methods on 14 data sets, greater is better" in out
        # Mean ranks of the printed scores; the paper ranks two of them by more digits than it prints.
        assert [line.split()[:2] for line in out.splitlines()[3:7]] == [
            ["C4.5+m+cf", "1.93"],
            ["C4.5+m", "2.00"],
            ["C4.5+cf", "2.93"],
            ["C4.5", "3.14"],
        ]
        assert "Friedman" in out
        assert "0 of 6 pairs differ at alpha = 0.05" in out
        header, *pairs = rows_of("out/pairs.csv")
        assert header == ["a", "b", "mean_rank_advantage_of_a", "statistic", "raw_pvalue", "pvalue"]
        assert len(pairs) == 6
        assert is_picture("out/critical-difference.png")

    def test_lower_is_better_turns_the_ranks_round(self, run):
        _, out, _ = run("compare", "t.csv", "--lower-is-better", t=DEMSAR)
        assert "less is better" in out
        assert out.splitlines()[3].split()[:2] == ["C4.5", "1.86"]
        assert is_picture("skeval-compare/critical-difference.png")

    def test_a_control_is_compared_with_all_others_by_holm(self, run):
        status, out, _ = run("compare", "t.csv", "--control", "C4.5", t=DEMSAR)
        assert status == 0
        assert "comparison of mean ranks (holm): 2 of 3 pairs differ" in out
        assert len(rows_of("skeval-compare/pairs.csv")) == 1 + 3

    @pytest.mark.parametrize("method", ["nemenyi", "holm", "hochberg", "bonferroni"])
    def test_every_post_hoc_that_help_names_is_there(self, run, method):
        _, help_text, _ = run("compare", "--help")
        assert method in help_text
        status, out, _ = run("compare", "t.csv", "--post-hoc", method, "--alpha", "0.2", t=DEMSAR)
        assert status == 0
        assert "of 6 pairs differ at alpha = 0.2" in out

    def test_two_methods_are_compared_by_their_scores_and_the_table_says_so(self, run):
        # Differences -1 and 2: the averages of two of them (each with itself too) are -1, 1/2 and 2.
        status, out, _ = run("compare", "t.csv", t="s,A,B\nx,1,2\ny,3,1\n")
        assert status == 0
        assert "Wilcoxon signed-rank test" in out
        assert "advantage of the first in score" in out
        assert rows_of("skeval-compare/pairs.csv")[:2] == [
            ["a", "b", "score_advantage_of_a", "statistic", "raw_pvalue", "pvalue"],
            ["A", "B", "0.5", "2.0", "1.0", "1.0"],
        ]

    @pytest.mark.parametrize("method", ["wilcoxon-holm", "wilcoxon-shaffer", "wilcoxon-bergmann-hommel"])
    def test_a_test_of_pairs_by_themselves_shows_differences_of_scores(self, run, method):
        _, out, _ = run("compare", "t.csv", "--post-hoc", method, t=DEMSAR)
        assert "advantage of the first in score" in out
        assert rows_of("skeval-compare/pairs.csv")[0][2] == "score_advantage_of_a"

    @pytest.mark.parametrize("method", ["nemenyi", "conover", "mcb", "shaffer"])
    def test_a_test_of_mean_ranks_shows_differences_of_mean_ranks(self, run, method):
        _, out, _ = run("compare", "t.csv", "--post-hoc", method, t=DEMSAR)
        assert "advantage of the first in mean rank" in out

    def test_nemenyi_that_was_asked_for_is_run_on_two_methods_too(self, run):
        status, out, _ = run("compare", "t.csv", "--post-hoc", "nemenyi", t="s,A,B\nx,1,2\ny,3,1\n")
        assert status == 0
        assert "Nemenyi test: 0 of 1 pairs" in out
        assert "Wilcoxon" not in out

    def test_a_byte_order_mark_blank_lines_and_quotes_are_fine(self, run):
        text = '\ufeffset,"a, b",c\r\n\r\n"x, y",1,2\r\nz,2,3\r\nw,4,1\r\n'
        status, out, _ = run("compare", "t.csv", t=text)
        assert status == 0
        assert "a, b" in out

    def test_many_methods_print_the_first_pairs_only(self, run):
        names = [f"m{where:02d}" for where in range(20)]
        lines = [",".join(["set", *names])]
        rng = np.random.default_rng(0)
        lines += [",".join([f"d{row}", *map(str, rng.random(20).round(3))]) for row in range(5)]
        _, out, _ = run("compare", "t.csv", t="\n".join(lines))
        assert "... and 145 more, in the file." in out
        assert len(rows_of("skeval-compare/pairs.csv")) == 1 + 190


class TestCompareRefuses:
    def test_a_missing_cell_with_row_and_column_and_writes_nothing(self, run, tmp_path):
        holed = DEMSAR.replace("0.882", "")
        assert refused(
            run("compare", "t.csv", t=holed), "row 'ionosphere'", "column 'C4.5'", "missing", "--omit-missing"
        )
        assert os.listdir(tmp_path) == ["t.csv"]

    @pytest.mark.parametrize("cell", ["", " ", "NA", "nan", "NaN", "null", "?", "-"])
    def test_every_way_to_write_a_missing_cell(self, run, cell):
        assert refused(run("compare", "t.csv", t=f"s,a,b\nx,1,2\ny,{cell},2\nz,1,3\n"), "row 'y'", "missing")

    def test_but_drops_the_row_when_asked(self, run):
        holed = DEMSAR.replace("0.882", "").replace("0.571", "")
        status, out, _ = run("compare", "t.csv", "--omit-missing", t=holed)
        assert status == 0
        assert "on 13 data sets" in out
        assert "Dropped for a missing cell: ionosphere" in out

    @pytest.mark.parametrize("cell", ["0;9", "high", "inf", "1e999", "1_000", "12%"])
    def test_a_cell_that_is_no_number(self, run, cell):
        text = f"s,a,b\nx,1,2\ny,{cell},2\nz,1,3\n"
        for more in ((), ("--omit-missing",)):
            assert refused(
                run("compare", "t.csv", *more, t=text), "line 3", "row 'y'", "column 'a'", repr(cell)
            )

    @pytest.mark.parametrize(
        ("text", "words"),
        [
            ("", ["empty"]),
            ("\n \n", ["empty"]),
            ("s,a,b\n", ["no rows"]),
            ("s,a\nx,1\ny,2\n", ["1 method(s)", "two columns"]),
            ("s,a,b\nx,1,2\n", ["1 data set(s)", "two rows"]),
            ("s,a,a\nx,1,2\ny,1,2\n", ["'a' stands twice"]),
            ("s,a,\nx,1,2\ny,1,2\n", ["column 3 has no name"]),
            ("s,a,b\nx,1,2\nx,1,2\n", ["line 3", "'x' stands twice"]),
            ("s,a,b\nx,1,2\ny,1\n", ["line 3", "2 cells", "3 columns"]),
            ("s,a,b\nx,1,2,3\ny,1,2\n", ["line 2", "4 cells"]),
            ("s;a;b\nx;1;2\ny;1;2\n", ["one column only", "commas"]),
            ('s,a,b\nx,"1,2\n', ["line"]),
            (b"s,a,b\n\xff\xfe,1,2\n", ["UTF-8"]),
        ],
    )
    def test_a_broken_table(self, run, tmp_path, text, words):
        assert refused(run("compare", "t.csv", t=text), *words)
        assert os.listdir(tmp_path) == ["t.csv"]

    def test_too_few_rows_left(self, run):
        assert refused(
            run("compare", "t.csv", "--omit-missing", t="s,a,b\nx,1,\ny,1,2\n"), "1 data set(s) without"
        )

    def test_a_file_that_is_not_there(self, run):
        assert refused(run("compare", "nowhere.csv"), "cannot read nowhere.csv: No such file")

    def test_a_folder_instead_of_a_file(self, run, tmp_path):
        assert refused(run("compare", tmp_path), "cannot read", "directory")

    def test_an_unknown_control(self, run):
        assert refused(run("compare", "t.csv", "--control", "X", t=DEMSAR), "--control", "C4.5+m", "'X'")

    def test_an_unknown_post_hoc(self, run):
        assert refused(run("compare", "t.csv", "--post-hoc", "magic", t=DEMSAR), "magic", "nemenyi")

    def test_nemenyi_with_a_control(self, run):
        result = run("compare", "t.csv", "--post-hoc", "nemenyi", "--control", "C4.5", t=DEMSAR)
        assert refused(result, "all pairs")

    def test_an_output_folder_that_is_a_file(self, run):
        status, _, err = run("compare", "t.csv", "--output", "t.csv", t=DEMSAR)
        assert status == 2
        assert "cannot make the folder t.csv" in err

    def test_an_output_that_is_the_input(self, run, tmp_path):
        table = DEMSAR.replace("data set,C4.5,C4.5+m", "a,b,c")  # it even begins as a file of pairs does
        result = run("compare", "pairs.csv", "--output", ".", pairs=table)
        assert refused(result, "cannot write pairs.csv: it is the input", "--output")
        assert (tmp_path / "pairs.csv").read_text() == table

    def test_an_output_that_leads_to_the_input(self, run, tmp_path):
        (tmp_path / "out").mkdir()
        (tmp_path / "out" / "pairs.csv").symlink_to(tmp_path / "t.csv")
        assert refused(run("compare", "t.csv", "--output", "out", t=DEMSAR), "it is the input")
        assert (tmp_path / "t.csv").read_text() == DEMSAR

    @pytest.mark.parametrize("name", ["pairs.csv", "critical-difference.png"])
    def test_to_replace_a_file_of_somebody_else(self, run, tmp_path, name):
        (tmp_path / name).write_text("day,weather\n1,rain\n")
        result = run("compare", "t.csv", "--output", ".", t=DEMSAR)
        assert refused(result, f"cannot write {name}", "not of this command", "--output")
        assert (tmp_path / name).read_text() == "day,weather\n1,rain\n"
        assert sorted(os.listdir(tmp_path)) == sorted(["t.csv", name])

    def test_but_replaces_what_it_wrote_itself(self, run):
        assert run("compare", "t.csv", t=DEMSAR)[0] == 0
        status, out, _ = run("compare", "t.csv", t="s,A,B\nx,1,2\ny,3,1\n")
        assert status == 0
        assert "Written: skeval-compare/pairs.csv" in out
        assert len(rows_of("skeval-compare/pairs.csv")) == 2

    @pytest.mark.parametrize("name", ["pairs.csv", "critical-difference.png"])
    def test_an_output_file_that_is_a_folder_and_writes_no_other(self, run, tmp_path, name):
        (tmp_path / "out" / name).mkdir(parents=True)
        result = run("compare", "t.csv", "--output", "out", t=DEMSAR)
        assert refused(result, f"cannot write out/{name}: it is a folder")
        assert os.listdir(tmp_path / "out") == [name]

    def test_an_output_folder_that_cannot_be_written(self, run, monkeypatch):
        monkeypatch.setattr("skeval.cli._output.os.access", lambda *_: False)  # root may write anywhere
        result = run("compare", "t.csv", "--output", "out", t=DEMSAR)
        assert refused(result, "cannot write into the folder out: Permission denied")

    def test_an_interrupt_from_the_keyboard_is_told_without_a_traceback(self, run, monkeypatch):
        def interrupt(*_, **__):
            raise KeyboardInterrupt

        monkeypatch.setattr("matplotlib.figure.Figure.savefig", interrupt)
        status, _, err = run("compare", "t.csv", t=DEMSAR)
        assert (status, err) == (130, "skeval: interrupted\n")

    def test_a_disk_that_fails_while_writing(self, run, monkeypatch):
        def full(*_, **__):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("matplotlib.figure.Figure.savefig", full)
        status, _, err = run("compare", "t.csv", t=DEMSAR)
        assert status == 2
        assert err == "skeval: cannot write skeval-compare/critical-difference.png: No space left on device\n"

    def test_work_without_matplotlib_by_naming_the_extra(self, run, monkeypatch):
        monkeypatch.setitem(sys.modules, "matplotlib", None)
        assert refused(run("compare", "t.csv", t=DEMSAR), "scikit-eval[cli]")


Y = ["ill", "ill", "ill", "well", "well", "well", "well", "well"]
PRED = ["ill", "ill", "well", "ill", "well", "well", "well", "well"]
SCORE = [0.9, 0.8, 0.3, 0.7, 0.4, 0.3, 0.2, 0.1]


def sheet(**columns):
    return "\n".join(
        ",".join(map(str, row)) for row in [tuple(columns), *zip(*columns.values(), strict=True)]
    )


def value_of(out, measure):
    """Return the number printed beside a measure."""
    line = next(line for line in out.splitlines() if line.startswith(measure))
    return float(line.rsplit(maxsplit=1)[1])


class TestScore:
    def test_labels(self, run):
        status, out, err = run("score", "p.csv", p=sheet(y_true=Y, y_pred=PRED))
        assert (status, err) == (0, "")
        assert "8 samples" in out
        # Counted by hand: 2 of 3 ill and 4 of 5 well are found.
        assert "ill     2     1\nwell    1     4\n" in out
        assert value_of(out, "accuracy") == 0.75
        assert value_of(out, "balanced accuracy") == round((2 / 3 + 4 / 5) / 2, 4)
        assert value_of(out, "G-mean") == round((2 / 3 * 4 / 5) ** 0.5, 4)

    def test_both_macro_f1_are_named(self, run):
        y, p = [0, 0, 0, 0, 1, 1], [0, 0, 1, 1, 1, 1]
        _, out, _ = run("score", "p.csv", p=sheet(y_true=y, y_pred=p))
        # precision 1 and 1/2, recall 1/2 and 1: both F1 are 2/3; the F1 of the means (3/4, 3/4) is 3/4.
        assert (
            value_of(out, "macro F1, mean of the F1") == round(f1_score(y, p, average="macro"), 4) == 0.6667
        )
        assert value_of(out, "macro F1, F1 of mean") == 0.75

    def test_scores(self, run):
        _, out, _ = run("score", "p.csv", "--pos-label", "ill", p=sheet(id=range(8), y_score=SCORE, y_true=Y))
        positive = [label == "ill" for label in Y]
        assert value_of(out, "area under the ROC curve") == round(roc_auc_score(positive, SCORE), 4)
        assert value_of(out, "average precision") == round(average_precision_score(positive, SCORE), 4)
        assert value_of(out, "break-even point") == round(2 / 3, 4)  # 2 of the 3 highest scores are ill
        assert "accuracy" not in out
        assert "below 1/2" not in out

    def test_an_area_below_one_half_asks(self, run):
        _, out, _ = run(
            "score", "p.csv", "--pos-label", "well", p=sheet(y_true=Y, y_pred=PRED, y_score=SCORE)
        )
        assert "The area is below 1/2" in out

    @pytest.mark.parametrize(("no", "yes"), [("0", "1"), ("-1", "1"), ("False", "True"), ("0.0", "1.0")])
    def test_usual_binary_labels_need_no_positive_class(self, run, no, yes):
        y = [yes if label == "ill" else no for label in Y]
        status, out, _ = run("score", "p.csv", p=sheet(y_true=y, y_score=SCORE))
        assert status == 0
        assert value_of(out, "area under") == round(roc_auc_score([label == "ill" for label in Y], SCORE), 4)

    @pytest.mark.parametrize(
        ("labels", "positive"), [(("A", "a"), "a"), (("a", "A"), "A"), ((2, 1), "1"), (("no", "yes"), "yes")]
    )
    def test_the_positive_class_is_taken_to_the_letter(self, run, labels, positive):
        y = [labels[1] if label == "ill" else labels[0] for label in Y]
        _, out, _ = run("score", "p.csv", "--pos-label", positive, p=sheet(y_true=y, y_score=SCORE))
        assert value_of(out, "area under") == round(roc_auc_score([label == "ill" for label in Y], SCORE), 4)

    def test_true_and_false_are_two_classes_in_any_case(self, run):
        _, out, _ = run("score", "p.csv", p="y_true,y_pred\ntrue,True\nfalse,TRUE\nFalse,false\n")
        assert "False      1     1\nTrue       0     1\n" in out

    @pytest.mark.parametrize("positive", ["false", "False", "FALSE"])
    def test_the_positive_class_of_true_and_false_in_any_case(self, run, positive):
        y = ["true" if label == "ill" else "false" for label in Y]
        _, out, _ = run("score", "p.csv", "--pos-label", positive, p=sheet(y_true=y, y_score=SCORE))
        assert value_of(out, "area under") == round(roc_auc_score([cell == "false" for cell in y], SCORE), 4)

    def test_a_positive_class_that_is_neither_true_nor_false_is_refused(self, run):
        y = ["true" if label == "ill" else "false" for label in Y]
        told = run("score", "p.csv", "--pos-label", "yes", p=sheet(y_true=y, y_score=SCORE))
        assert refused(told, "--pos-label", "'yes'")

    def test_whole_numbers_are_labels_however_written(self, run):
        _, out, _ = run("score", "p.csv", p="y_true,y_pred\n1,1.0\n2.0,2\n1e0,+1\n")
        assert value_of(out, "accuracy") == 1
        assert "\n1  2  0\n2  0  1\n" in out

    def test_labels_that_no_float_tells_apart_are_two_classes(self, run):
        # 2**53 + 1 is no double; it becomes 2**53.
        big, bigger = 2**53, 2**53 + 1
        _, out, _ = run("score", "p.csv", p=f"y_true,y_pred\n{big},{bigger}\n{bigger},{bigger}\n")
        assert value_of(out, "accuracy") == 0.5

    def test_labels_with_leading_zeros_are_codes_and_not_numbers(self, run):
        _, out, _ = run("score", "p.csv", p="y_true,y_pred\n01,1\n001,001\n1,1\n")
        assert value_of(out, "accuracy") == round(2 / 3, 4)
        assert [line.split()[0] for line in out.splitlines()[4:7]] == ["001", "01", "1"]

    def test_text_labels_may_look_like_numbers(self, run):
        _, out, _ = run("score", "p.csv", p="y_true,y_pred\n1,1\n2,1\n3+,3+\n")
        assert value_of(out, "accuracy") == round(2 / 3, 4)

    def test_a_class_that_is_never_predicted_is_a_warning_in_words(self, run):
        status, out, err = run("score", "p.csv", p=sheet(y_true=["a", "b"], y_pred=["a", "a"]))
        assert status == 0
        assert "skeval: warning: " in err
        assert "b" in err
        assert ".py" not in err
        assert value_of(out, "accuracy") == 0.5

    @pytest.mark.parametrize(
        ("text", "more", "words"),
        [
            (sheet(y_true=Y), (), ["y_true and y_pred", "it has y_true"]),
            (sheet(truth=Y, y_pred=PRED), (), ["y_true", "truth, y_pred"]),
            (sheet(y_true=Y, y_score=SCORE), (), ["--pos-label", "'ill', 'well'"]),
            (sheet(y_true=Y, y_score=SCORE), ("--pos-label", "sick"), ["--pos-label", "'sick'"]),
            (
                sheet(y_true=["a", "b", "c"], y_score=[1, 2, 3]),
                ("--pos-label", "a"),
                ["two classes", "got 3"],
            ),
            ("y_true,y_pred\na,b\n,b\n", (), ["line 3", "y_true is missing"]),
            ("y_true,y_pred\n1,1\n2.5,2.5\n", (), ["line 3", "y_true holds '2.5'", "whole numbers"]),
            ("y_true,y_pred\n1,1\n2,0.5\n", (), ["line 3", "y_pred holds '0.5'"]),
            ("y_true,y_score\n1.5,1.4\n2.5,2.5\n", (), ["line 2", "y_true holds '1.5'"]),
            ("y_true,y_pred\n0,0\n1,true\n", (), ["line 3", "y_pred holds 'true' beside '0'"]),
            ("y_true,y_pred\ntrue,True\nfalse,0\n", (), ["line 3", "y_pred holds '0' beside 'true'"]),
            ("y_true,y_pred\n1e30,1\n", (), ["below 2**63"]),
            ("y_true,y_score\n0,0.5\n1,NA\n", (), ["line 3", "y_score is missing"]),
            ("y_true,y_score\n0,0.5\n1,high\n", (), ["line 3", "'high'"]),
            ("y_true,y_score\n0,0.5\n1,inf\n", (), ["line 3", "'inf'"]),
            ("", (), ["empty"]),
        ],
    )
    def test_bad_input(self, run, text, more, words):
        assert refused(run("score", "p.csv", *more, p=text), *words)


class TestDemo:
    def test_compares_classifiers_and_writes_a_table_and_two_pictures(self, run, monkeypatch):
        from skeval.cli import _demo

        small = {name: _demo.DATASETS[name] for name in ("iris", "wine")}
        monkeypatch.setattr(_demo, "DATASETS", small)
        models = {name: model for name, model in _demo.make_models().items() if name != "forest"}
        monkeypatch.setattr(_demo, "make_models", lambda: models)
        status, out, err = run("demo", "--output", "a/b", "--repeats", "1", "--n-jobs", "1")
        assert (status, err) == (0, "")
        assert "Accuracy" in out
        assert "Holm" in out
        assert "Friedman" in out
        assert "2 data sets" in out  # the remark on how little so few can show
        header, *rows = rows_of("a/b/scores.csv")
        assert header == ["data set", *models]
        assert [row[0] for row in rows] == ["iris", "wine"]
        assert all(0.8 < float(cell) <= 1 for row in rows for cell in row[1:])
        assert is_picture("a/b/critical-difference.png")
        assert is_picture("a/b/roc.png")
        assert plt.get_fignums() == []
        assert run("compare", "a/b/scores.csv")[0] == 0

    def test_replaces_no_table_of_somebody_else(self, run, tmp_path):
        result = run("demo", "--output", ".", scores="name,points\nann,3\n")
        assert refused(result, "cannot write scores.csv", "not of this command")
        assert (tmp_path / "scores.csv").read_text() == "name,points\nann,3\n"

    def test_has_five_classifiers_and_four_data_sets_or_more(self):
        from skeval.cli import _demo

        assert len(_demo.make_models()) >= 5
        assert len(_demo.DATASETS) >= 4


def test_a_progress_bar_is_not_needed(monkeypatch):
    from skeval.utils._progress import track

    def absent(name, *, extra, purpose):
        raise ModuleNotFoundError(f"{purpose} needs {name}: {extra}")

    assert list(track([1, 2], "counting")) == [1, 2]
    monkeypatch.setattr("skeval.utils._progress.import_optional", absent)
    assert list(track([1, 2], "counting")) == [1, 2]
    assert _optional.import_optional is not absent
