"""The report: one file, escaped, accessible, without the network; opened in a browser where there is one."""

import base64
import html.parser
import re
import shutil
import subprocess

import matplotlib.pyplot as plt
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.exceptions import FitFailedWarning
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

from skeval.benchmarking import Benchmark
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


def test_failures_with_tracebacks(tmp_path):
    with pytest.warns(FitFailedWarning, match="failed"):
        result = small({"failing": Failing(), "bayes": GaussianNB()}).run()
    text = result.report(tmp_path / "r.html").read_text(encoding="utf-8")
    told = Page(text)
    assert "RuntimeError: the sum is <odd>" in told.texts["td"]
    assert "raise RuntimeError" in " ".join(told.texts["pre"])
    assert "<odd>" not in text


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
    Page(small(models, **options).run().report(tmp_path / "r.html").read_text(encoding="utf-8"))


def test_intervals_stay_within_the_range_of_the_metric(page):
    cells = [re.findall(r"[\d.]+", cell) for cell in page.texts["td"] if cell.endswith("]")]
    assert cells
    for mean, low, high in cells:
        assert 0 <= float(low) <= float(mean) <= float(high) <= 1


# --- in a browser ---------------------------------------------------------------------------------------

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
browser = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")

# Clicks on the header of the second column twice, and writes down what the table then is.
CLICKS = """
<script>
  const table = document.querySelector("table.sortable"), head = table.tHead.rows[0].cells[1];
  const column = () => [...table.tBodies[0].rows].map((row) => row.cells[1].dataset.value).join(" ");
  const found = [column()];
  for (let click = 0; click < 2; click++) {
    head.querySelector("button").click();
    found.push(head.getAttribute("aria-sort") + " " + column());
  }
  document.body.dataset.found = found.join("|");
  document.body.dataset.images = [...document.images].filter((one) => one.naturalWidth > 100).length;
  document.body.dataset.wide = document.documentElement.scrollWidth > window.innerWidth;
</script>
</body>"""


def chromium(*options):
    command = [
        CHROMIUM,
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--enable-logging=stderr",
        *options,
    ]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


@browser
@pytest.mark.parametrize(("width", "height"), [(1280, 900), (500, 900)])
def test_opens_without_an_error_and_sorts(file, tmp_path, width, height):
    clicked = tmp_path / "clicked.html"
    text = file.read_text(encoding="utf-8").replace("</body>", CLICKS)
    clicked.write_text(text, encoding="utf-8")
    run = chromium(
        f"--window-size={width},{height}", "--virtual-time-budget=3000", "--dump-dom", clicked.as_uri()
    )
    assert "CONSOLE" not in run.stderr  # where Chromium writes errors of scripts and refused resources
    body = dict(Page(run.stdout).tags)["body"]
    as_given, ascending, descending = body["data-found"].split("|")
    values = sorted(map(float, as_given.split()))
    assert ascending.split()[0] == "ascending"
    assert list(map(float, ascending.split()[1:])) == values
    assert descending.split()[0] == "descending"
    assert list(map(float, descending.split()[1:])) == values[::-1]
    assert body["data-images"] == "4"
    assert body["data-wide"] == "false"


@browser
def test_can_be_printed(file, tmp_path):
    printed = tmp_path / "report.pdf"
    chromium(f"--print-to-pdf={printed}", file.as_uri())
    assert printed.read_bytes().startswith(b"%PDF")
