"""The built site: every link inside it leads somewhere, and a browser opens it without a complaint.

``SKEVAL_SITE`` names the folder of the built site; without it the tests are skipped, since what was built
earlier may be of other pages. Where ``SKEVAL_BROWSER_REQUIRED`` is set, a missing browser is a failure.
"""

import functools
import http.server
import os
import re
import shutil
import subprocess
import threading
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

SITE = Path(os.environ.get("SKEVAL_SITE", "docs/_build/html")).resolve()
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
REQUIRED = os.environ.get("SKEVAL_BROWSER_REQUIRED", "0") != "0"
pytestmark = pytest.mark.skipif("SKEVAL_SITE" not in os.environ, reason="SKEVAL_SITE names no built site")
browser = pytest.mark.skipif(CHROMIUM is None and not REQUIRED, reason="no Chromium on this machine")


class Page(HTMLParser):
    """The anchors, the links and what else a page loads."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.loaded = set(), set(), set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        self.anchors |= {found[name] for name in ("id", "name") if found.get(name)}
        if tag == "a" and found.get("href"):
            self.links.add(found["href"])
        elif tag in ("img", "script", "iframe") and found.get("src"):
            self.loaded.add(found["src"])
        elif tag == "link" and found.get("href"):
            self.loaded.add(found["href"])


@functools.cache
def page(path):
    return Page(path.read_text(encoding="utf-8"))


def pages():
    found = [path for path in SITE.rglob("*.html") if "_static" not in path.relative_to(SITE).parts]
    assert found, f"no page in {SITE}"
    return found


def test_every_link_inside_the_site_leads_to_a_page_and_its_anchor():
    broken = set()
    for source in pages():
        for link in page(source).links | page(source).loaded:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (source.parent / unquote(parts.path)).resolve() if parts.path else source
            anchor = unquote(parts.fragment) if target.suffix == ".html" else ""
            if not target.is_file() or (anchor and anchor not in page(target).anchors):
                broken.add((source.relative_to(SITE).as_posix(), link))
    assert sorted(broken) == []


def test_no_page_loads_anything_from_the_network():
    loaded = {
        (source.relative_to(SITE).as_posix(), link)
        for source in pages()
        for link in page(source).loaded
        if urlsplit(link).scheme not in ("", "data") or urlsplit(link).netloc
    }
    assert sorted(loaded) == []


def test_the_gallery_shows_a_picture_for_each_example():
    examples = sorted((Path(__file__).parent.parent / "docs" / "examples").glob("plot_*.py"))
    gallery = page(SITE / "generated" / "examples" / "index.html")
    thumbs = {Path(link).name for link in gallery.loaded if link.endswith(".png")}
    assert {f"sphx_glr_{example.stem}_thumb.png" for example in examples} <= thumbs
    for example in examples:
        shown = page(SITE / "generated" / "examples" / f"{example.stem}.html").loaded
        assert any(f"sphx_glr_{example.stem}_001" in link for link in shown), example.name


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def server():
    handler = functools.partial(Quiet, directory=SITE)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}"
        running.shutdown()


def opened(address, width=1280):
    """Return the page as it is after its scripts ran, and what its console complains of."""
    assert CHROMIUM is not None, "SKEVAL_BROWSER_REQUIRED is set, but there is no Chromium"
    run = subprocess.run(
        [
            CHROMIUM,
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--enable-logging=stderr",
            f"--window-size={width},900",
            "--virtual-time-budget=8000",
            "--dump-dom",
            address,
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    # Where Chromium writes errors of scripts and of what failed to load; "[PST]" is the theme, chatting.
    complaints = [line for line in run.stderr.splitlines() if "CONSOLE" in line and "[PST]" not in line]
    return run.stdout, complaints


@browser
@pytest.mark.parametrize(
    "name",
    [
        "index.html",
        "tutorials/two_models.html",
        "which_test.html",
        "chapter_map.html",
        "generated/examples/index.html",
        "generated/examples/plot_two_models.html",
        "generated/api/skeval.metrics.ConfusionMatrix.html",
    ],
)
def test_a_page_opens_without_an_error_in_the_console(server, name):
    text, complaints = opened(f"{server}/{name}")
    assert "</h1>" in text
    assert complaints == []


@browser
@pytest.mark.parametrize("word", ["bootstrap", "mcnemar_test"])
def test_the_search_finds(server, word):
    text, complaints = opened(f"{server}/search.html?q={word}")
    results = text.partition('id="search-results"')[2]
    assert len(re.findall(r"<li[ >]", results)) > 2
    assert complaints == []
