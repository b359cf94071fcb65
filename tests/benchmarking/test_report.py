"""The report: one file, escaped, accessible, without the network; opened in a browser where there is one."""

import base64
import html.parser
import os
import re
import shutil
import sqlite3
import subprocess

import matplotlib.pyplot as plt
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.benchmarking import Benchmark, BenchmarkResult
from skeval.benchmarking._store import Store
from skeval.model_selection import KFoldSplit
from tests.benchmarking.helpers import Failing, Warning_, small, toy

plt.switch_backend("Agg")

EVIL = "<script>alert(1)</script>"
VOID = {"meta", "img", "br", "link"}


class Page(html.parser.HTMLParser):
    """Tags with their attributes, and the text of each kind of tag; counts that tags are closed."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.texts, self.open = [], {}, []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open:
            self.texts.setdefault(self.open[-1], []).append(data)

    def all(self, tag):
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """The report of an experiment with hostile names, failures and warnings."""
    models = {
        "dummy": DummyClassifier(),
        f"bayes {EVIL}": GaussianNB(),
        "tree & co": DecisionTreeClassifier(max_depth=2),
        "warns": Warning_(max_depth=1),
    }
    data = {EVIL: toy(seed=0)} | {f"data {seed}": toy(seed=seed) for seed in range(1, 6)}
    result = Benchmark(models, data, cv=KFoldSplit(5, random_state=0), scoring=["accuracy", "g_mean"]).run()
    return result.report(tmp_path_factory.mktemp("report") / "report.html", title=f"Trees & {EVIL}")


@pytest.fixture(scope="module")
def page(file):
    return Page(file.read_text(encoding="utf-8"))


def test_user_strings_are_text(file, page):
    assert "<script>alert" not in file.read_text(encoding="utf-8")
    assert len(page.all("script")) == 1
    assert EVIL in page.texts["th"]
    assert f"Trees & {EVIL}" in page.texts["h1"]


def test_nothing_comes_from_the_network(file, page):
    (policy,) = [meta["content"] for meta in page.all("meta") if "http-equiv" in meta]
    assert policy.startswith("default-src 'none'; img-src data:")
    for _, attributes in page.tags:
        for name in ("src", "href"):
            value = attributes.get(name)
            assert value is None or value.startswith(("data:image/svg+xml;base64,", "#"))
    assert "url(" not in file.read_text(encoding="utf-8")


def test_every_picture_is_there_with_a_text(page):
    images = page.all("img")
    assert len(images) == 4  # two diagrams for each of two metrics
    for image in images:
        assert re.match(
            r"(Critical-difference|Friedman) diagram of \w+\. Mean ranks, 1 is best: ", image["alt"]
        )
        assert base64.b64decode(image["src"].partition(",")[2]).startswith(b"<?xml")


def test_it_can_be_used_from_the_keyboard_and_read_aloud(page):
    assert dict(page.tags)["html"] == {"lang": "en"}
    buttons = len(page.all("button"))
    assert buttons == sum("aria-sort" in head for head in page.all("th"))
    for region in page.all("div"):
        assert region["tabindex"] == "0"
        assert "aria-labelledby" in region or "aria-label" in region
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    for _, attributes in page.tags:
        if "aria-labelledby" in attributes:
            assert attributes["aria-labelledby"] in ids
        if attributes.get("href", "").startswith("#"):
            assert attributes["href"][1:] in ids


def luminance(color):
    channels = [int(color[where : where + 2], 16) / 255 for where in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_text_stands_out_from_its_ground(file):
    # WCAG 2.2, contrast ratio of at least 4.5 for text.
    text = file.read_text(encoding="utf-8")
    colors = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", text))
    for ink in ("ink", "soft", "accent"):
        for ground in ("#ffffff", colors["shade"]):
            ratio = (luminance(ground) + 0.05) / (luminance(colors[ink]) + 0.05)
            assert ratio >= 4.5, (ink, ground, ratio)


def test_tests_are_told_in_words(page):
    told = " ".join(page.texts["p"])
    assert "Friedman" in told
    assert "Nemenyi" in told
    assert "Not different from each other at alpha = 0.05" in told
    assert "No fit failed." in told
    assert "24 fits" not in told
    assert "4 methods on 6 data sets: 120 fits, 120 done, 0 failed" in told


def test_warnings_and_versions_are_listed(page):
    cells = page.texts["td"]
    assert "UserWarning: depth 1" in cells
    assert "scikit-learn" in page.texts["th"]


@pytest.mark.parametrize("ending", ["", ".lock"])
def test_the_store_is_never_replaced_by_its_report(tmp_path, ending):
    store = tmp_path / "r.db"
    result = small({"bayes": GaussianNB()}, datasets={"first": toy()}).run(store=store)
    (tmp_path / "link.html").symlink_to(f"r.db{ending}")
    before = store.read_bytes()
    for path in (f"{store}{ending}", tmp_path / "link.html"):
        with pytest.raises(ValueError, match=r"is a database or belongs to one.*name another file"):
            result.report(path)
    assert store.read_bytes() == before
    assert BenchmarkResult.load(store).n_done == 5


def test_the_log_of_a_store_that_is_written_is_not_replaced_by_a_report(tmp_path):
    store = tmp_path / "r.db"
    result = small({"bayes": GaussianNB()}, datasets={"first": toy()}).run(store=store)
    with Store(store, write=True), pytest.raises(ValueError, match="belongs to one"):
        result.report(f"{store}-wal")


def test_another_database_is_not_replaced_by_a_report(tmp_path):
    with sqlite3.connect(tmp_path / "mine.html") as connection:
        connection.execute("CREATE TABLE mine (x)")
    connection.close()
    result = small({"bayes": GaussianNB()}, datasets={"first": toy()}).run()
    with pytest.raises(ValueError, match="is a database"):
        result.report(tmp_path / "mine.html")


def test_a_report_is_written_over_an_older_one(tmp_path):
    result = small({"bayes": GaussianNB()}, datasets={"first": toy()}).run(store=tmp_path / "r.db")
    for title in ("Old", "New"):
        result.report(tmp_path / "r.html", title=title)
    assert "<h1>New</h1>" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(("n_methods", "quantity"), [(2, "score"), (3, "mean rank")])
def test_the_table_of_pairs_names_what_its_test_estimates(tmp_path, n_methods, quantity):
    models = {"bayes": GaussianNB(), "dummy": DummyClassifier(), "tree": DecisionTreeClassifier(max_depth=1)}
    result = small(dict(list(models.items())[:n_methods]), scoring="accuracy").run()
    text = result.report(tmp_path / "r.html").read_text(encoding="utf-8")
    assert re.findall("advantage of the first in ([a-z ]*)", text) == [quantity]


def test_failures_with_tracebacks(tmp_path):
    with pytest.warns(FitFailedWarning, match="failed"):
        result = small({"failing": Failing(), "bayes": GaussianNB()}).run()
    text = result.report(tmp_path / "r.html").read_text(encoding="utf-8")
    told = Page(text)
    assert "RuntimeError: the sum is <odd>" in told.texts["td"]
    assert "raise RuntimeError" in " ".join(told.texts["pre"])
    assert "<odd>" not in text


def test_a_method_of_which_every_fit_failed_has_no_times(tmp_path):
    class Never(DummyClassifier):
        def fit(self, X, y, sample_weight=None):
            raise RuntimeError("never")

    with pytest.warns(FitFailedWarning, match="10 of 20 fits failed"):
        result = small({"never": Never(), "bayes": GaussianNB()}).run()
    text = result.report(tmp_path / "r.html").read_text(encoding="utf-8")
    times = text[text.index("median fit") :]
    row = re.sub(r"<[^>]*>", "|", times[times.index("never") :]).split("bayes")[0]
    assert re.findall(r"[\d.]+", row) == ["10"]


@pytest.mark.parametrize(
    "options",
    [
        {"datasets": {"first": toy()}},
        {"datasets": {"first": toy()}, "cv": [(list(range(40)), list(range(40, 60)))]},
        {"scoring": "accuracy"},
    ],
)
@pytest.mark.parametrize("n_methods", [1, 2])
def test_small_experiments_have_a_report_too(tmp_path, options, n_methods):
    models = dict(list({"bayes": GaussianNB(), "dummy": DummyClassifier()}.items())[:n_methods])
    result = small(models, **options).run()
    told = Page(result.report(tmp_path / "r.html").read_text(encoding="utf-8"))
    assert told.texts["h2"][:-4] == list(result.metrics)
    assert {*models, *result.datasets} <= {*told.texts["th"]}
    assert any("No test: it needs two methods" in text for text in told.texts["p"]) == (
        n_methods == 1 or len(result.datasets) == 1
    )


def test_intervals_stay_within_the_range_of_the_metric(page):
    cells = [re.findall(r"[\d.]+", cell) for cell in page.texts["td"] if cell.endswith("]")]
    assert cells
    for mean, low, high in cells:
        assert 0 <= float(low) <= float(mean) <= float(high) <= 1


# --- in a browser ---------------------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REQUIRED = os.environ.get("SKEVAL_BROWSER_REQUIRED", "0") != "0"  # then a missing browser is a failure
browser = pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="no Chromium on this machine")

# In the report: clicks on the header of the second column twice, and tells what the table then is.
CLICKS = """
<script>
  const table = document.querySelector("table.sortable"), head = table.tHead.rows[0].cells[1];
  const column = () => [...table.tBodies[0].rows].map((row) => row.cells[1].dataset.value).join(" ");
  const found = [column()];
  for (let click = 0; click < 2; click++) {
    head.querySelector("button").click();
    found.push(head.getAttribute("aria-sort") + " " + column());
  }
  parent.postMessage({
    found: found.join("|"),
    names: [...table.tBodies[0].rows].map((row) => row.cells[0].textContent).join("|"),
    images: [...document.images].filter((one) => one.naturalWidth > 100).length,
    width: document.documentElement.clientWidth,
    overflow: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  }, "*");
</script>
</body>"""
# Around the report: a frame as wide as a screen (a window of Chromium is at least 500 wide), which notes
# what the report tells.
SCREEN = """<!DOCTYPE html><html><body><script>
  addEventListener("message", (event) => Object.assign(document.body.dataset, event.data));
</script><iframe src="clicked.html" width="{width}" height="800"></iframe></body></html>"""


def chromium(*options):
    assert CHROMIUM is not None, "SKEVAL_BROWSER_REQUIRED is set, but there is no Chromium"
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        *options,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


@pytest.fixture(scope="module", params=[1280, 390], ids=["desktop", "phone"])
def opened(request, file, tmp_path_factory):
    """What the report told in a browser, on a screen of this width: (notes, console, width)."""
    folder = tmp_path_factory.mktemp("screen")
    text = file.read_text(encoding="utf-8").replace("</body>", CLICKS)
    (folder / "clicked.html").write_text(text, encoding="utf-8")
    screen = folder / "screen.html"
    screen.write_text(SCREEN.format(width=request.param), encoding="utf-8")
    run = chromium("--window-size=1500,900", "--virtual-time-budget=5000", "--dump-dom", screen.as_uri())
    return dict(Page(run.stdout).tags)["body"], run.stderr, request.param


@browser
def test_opens_without_an_error_in_the_console(opened):
    notes, console, _ = opened
    assert "data-found" in notes
    assert "CONSOLE" not in console  # where Chromium writes errors of scripts and refused resources


@browser
def test_a_table_is_sorted_by_a_click_and_back_by_another(opened):
    notes, _, _ = opened
    as_given, ascending, descending = notes["data-found"].split("|")
    values = sorted(map(float, as_given.split()))
    assert ascending.split()[0] == "ascending"
    assert list(map(float, ascending.split()[1:])) == values
    assert descending.split()[0] == "descending"
    assert list(map(float, descending.split()[1:])) == values[::-1]


@browser
def test_a_hostile_name_is_seen_as_text(opened):
    assert EVIL in opened[0]["data-names"].split("|")


@browser
def test_pictures_are_drawn_and_the_page_fits_the_screen(opened):
    notes, _, width = opened
    assert notes["data-images"] == "4"
    assert width - 20 <= int(notes["data-width"]) <= width
    assert notes["data-overflow"] == "0"


@browser
def test_can_be_printed(file, tmp_path):
    printed = tmp_path / "report.pdf"
    chromium(f"--print-to-pdf={printed}", file.as_uri())
    assert printed.read_bytes().startswith(b"%PDF")
