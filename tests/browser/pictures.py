"""The pictures of the guide and of the README, taken anew from the pages as they are; run by hand, some minutes:

    python -m tests.browser.pictures            # all of them
    python -m tests.browser.pictures teach      # some

Each is a window of 1280 x 860 in the light theme, over a store in which the sample was trained on.
"""

import io
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from core.guide import FOLDER
from core.workspace import Workspace
from core.workspace.constraints.constraint_set import STARTER, save_text
from core.workspace.induction.plan import InductionPlan
from core.workspace.induction.system import Induction
from core.workspace.registry import Systems
from tests.browser.conftest import ROOT, server, settle
from tests.conftest import FLAGS

SCREEN = {"width": 1280, "height": 860}
COLORS = 128  # of a picture's palette
PATIENCE = 480_000  # milliseconds after which something hangs
LULL = 1500  # milliseconds for charts and pictures to stand still
README = ROOT / "assets" / "readme.png"


class Picture(NamedTuple):
    """What is photographed: an address, and what is done there first."""

    address: str
    act: Callable[[Page], None] = lambda page: None
    height: int = SCREEN["height"]


def choice(key, name):
    """Choose an option of a row of buttons, and wait until it is chosen."""

    def act(page):
        page.locator(f".st-key-{key}").get_by_role("radio", name=name, exact=True).click()
        settle(page)

    return act


def button(key, times=1):
    """Press a button."""

    def act(page):
        for _ in range(times):
            page.locator(f".st-key-{key} button").first.click()
            settle(page)

    return act


def example(page):
    """Wait for the example of a page that no run was made for, and for its chart."""
    expect(page.get_by_text("A run on the built-in sample").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible(timeout=PATIENCE)


PICTURES = {
    "corpus": Picture("/corpus?sentence=12"),
    "search": Picture("/corpus?corpus_view=Search"),
    "annotate": Picture("/annotate?sentence=12", height=640),
    "check": Picture("/annotate?annotate=Check+20", button("ann_draw")),
    "constraints": Picture("/constraints"),
    "constraint-text": Picture("/constraints", choice("ge_view", "Text")),
    "ask": Picture("/constraints", choice("ge_view", "Ask me")),
    "targets": Picture("/constraints?ge_results=Targets"),
    "markup": Picture("/markup"),
    "consensus": Picture("/consensus"),
    "induction": Picture("/induction"),
    "decomposition": Picture("/decomposition", example),
    "joint": Picture("/joint"),
    "adaptation": Picture("/adaptation", example),
    "compare": Picture("/compare", choice("cmp_table", "Confusion")),
    "runs": Picture("/runs"),
    "projects": Picture("/projects", height=640),
    "teach": Picture("/teach", button("teach_do_step", 4)),
    "guide": Picture("/guide?chapter=Notation&section=What+stands+between", height=640),
}


def main(names):
    """Take the pictures of these names, or all."""
    with tempfile.TemporaryDirectory() as folder:
        _train(Path(folder))
        with server("app.py") as running, sync_playwright() as playwright:
            running.work_in(folder)
            chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            for name in names or PICTURES:
                path = FOLDER / "pictures" / f"{name}.png"
                size = _take(chromium, running.address, PICTURES[name], path)
                if name == "constraints":
                    shutil.copy(path, README)
                print(f"{name}: {size / 1000:.0f} kB")
            chromium.close()


def _train(folder):
    """A store in which the sample has a set of lines, and a run of two systems."""
    workspace = Workspace.open(f"sqlite:///{folder / 'workbench.sqlite'}")
    corpus = workspace.store.corpora(workspace.store.default_project())[0]
    lines = STARTER.read_text(encoding="utf-8")
    save_text(workspace.store, corpus, lines, "first steps")
    grammar = Systems(workspace)["grammar"]
    induction, plan = Induction(workspace), InductionPlan()
    for run in (
        induction.start(induction.inputs(corpus, plan), plan),
        grammar.train(grammar.text(corpus), lines),
    ):
        assert workspace.jobs.wait(run, timeout=600).status == "done"
    workspace.store.close()


def _take(chromium, address, picture, path):
    """Photograph a page into a file; returns its size in bytes."""
    session = chromium.new_context(
        viewport=SCREEN | {"height": picture.height}, color_scheme="light", reduced_motion="reduce"
    )
    page = session.new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(address + picture.address)
    settle(page)
    expect(page.get_by_text("Compiling, once")).to_have_count(0, timeout=PATIENCE)
    picture.act(page)
    page.mouse.move(4, 4)
    settle(page)
    expect(page.locator('[data-testid="stSkeleton"]')).to_have_count(0, timeout=PATIENCE)
    page.wait_for_timeout(LULL)
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    session.close()
    path.parent.mkdir(exist_ok=True)
    image.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    return path.stat().st_size


if __name__ == "__main__":
    main(sys.argv[1:])
