"""The pictures of the guide and of the README, taken anew from the pages as they are; run by hand, some minutes:

    python -m tests.browser.pictures            # all of them
    python -m tests.browser.pictures teach film # some
    python -m tests.browser.pictures --check    # none: says which differ from the pages, before a release

Each is a window of 1280 x 860 in both themes, over a store in which the sample was trained on. ``film`` is the moving
picture of the README: a constraint is typed, training begins, arcs turn.
"""

import io
import itertools
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from core.workspace import Workspace
from core.workspace.constraints.constraint_set import STARTER, save_text
from core.workspace.guide.chapters import FOLDER
from core.workspace.induction.plan import InductionPlan
from core.workspace.induction.system import Induction
from core.workspace.registry import Systems
from tests.browser.conftest import ROOT, server, settle
from tests.conftest import FLAGS
from tests.patience import WAIT

SCREEN = {"width": 1280, "height": 860}
COLORS = 128  # of a picture's palette
LULL = 1500  # milliseconds for charts and pictures to stand still
FOLDERS = {"light": FOLDER / "pictures", "dark": FOLDER / "pictures" / "dark"}
DRAWN = "ladder"  # not of a page: reproduce beyond-ladder --figure draws it
SAME = 0.01  # of the pixels: times of day and numbers of runs may differ
DARKEST, LIGHTEST = 0.09, 0.92  # lightness of paper and text in the dark theme
LEVELS = 48  # of 255 by which a pixel differs
FILM, FILM_SCREEN = ROOT / "assets" / "readme.webp", {"width": 1280, "height": 800}
TYPED = "DET <- NOUN per modifier = 0.9"  # what the film adds to the other first steps
LETTERS = 6  # typed between two frames
PAUSE, LAST, SECONDS = 200, 3000, 10  # milliseconds between two frames and of the last one; seconds of all
MOST = 24  # frames


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


def chart(page):
    """Wait for a chart."""
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()


def example(page):
    """Wait for the example of a page that no run was made for, and for its chart."""
    expect(page.get_by_text("A run on the built-in sample").first).to_be_visible()
    chart(page)


def run_figure(page):
    """Run the experiment of a paper that is chosen, and wait for its figure."""
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator('[data-testid="stImage"] img')).to_be_visible()


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
    "rules": Picture("/decomposition?dd_problem_view=Rules", chart),
    "joint": Picture("/joint"),
    "adaptation": Picture("/adaptation", example),
    "compare": Picture("/compare"),
    "runs": Picture("/runs"),
    "projects": Picture("/projects", height=640),
    "papers": Picture("/papers?paper=Spitkovsky+2010&pp_experiment=Figure+1:+Cross-entropy+of+starts", run_figure),
    "teach": Picture("/teach", button("teach_do_step", 4)),
    "guide": Picture("/guide?chapter=Notation&section=What+stands+between", height=640),
}


def main(names):
    """Take the pictures of these names, or all; with ``--check`` only say which differ."""
    check = "--check" in names
    chosen = [name for name in names if name != "--check"] or [*PICTURES, *([] if check else ["film", DRAWN])]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
        pages = [name for name in chosen if name in PICTURES]
        if pages:
            train_sample(Path(folder))
            with server("app.py") as running:
                running.work_in(folder)
                for name, (theme, home) in itertools.product(pages, FOLDERS.items()):
                    image = _take(chromium, running.address, PICTURES[name], theme)
                    print(name, theme, (_difference if check else _save)(image, home / f"{name}.png"), flush=True)
        if "film" in chosen:
            print("film", _film(chromium), flush=True)
        chromium.close()
    if DRAWN in chosen:
        print(
            DRAWN,
            "dark",
            _save(darkened(Image.open(FOLDERS["light"] / f"{DRAWN}.png")), FOLDERS["dark"] / f"{DRAWN}.png"),
        )


def train_sample(folder):
    """A store in which the sample has a set of constraints, and a run of two systems."""
    workspace = Workspace.open(f"sqlite:///{folder / 'workbench.sqlite'}")
    corpus = workspace.store.corpora(workspace.store.default_project())[0]
    constraints = STARTER.read_text(encoding="utf-8")
    save_text(workspace.store, corpus, constraints, "first steps")
    grammar = Systems(workspace)["grammar"]
    induction, plan = Induction(workspace), InductionPlan()
    for run in (
        induction.start(induction.inputs(corpus, plan), plan),
        grammar.train(grammar.text(corpus), constraints),
    ):
        assert workspace.jobs.wait(run, timeout=600).status == "done"
    workspace.store.close()


def _open(chromium, address, theme, screen):
    """A page in a theme, settled and compiled."""
    page = chromium.new_context(viewport=screen, color_scheme=theme, reduced_motion="reduce").new_page()
    page.set_default_timeout(WAIT)
    page.goto(address)
    settle(page)
    expect(page.get_by_text("Compiling, once")).to_have_count(0)
    return page


def _take(chromium, address, picture, theme):
    """Photograph a page, as an Image."""
    page = _open(chromium, address + picture.address, theme, SCREEN | {"height": picture.height})
    picture.act(page)
    page.mouse.move(4, 4)
    settle(page)
    expect(page.locator('[data-testid="stSkeleton"]')).to_have_count(0)
    page.wait_for_timeout(LULL)
    image = _photo(page)
    page.context.close()
    return image


def _photo(page):
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def _save(image, path):
    """Write a PNG with a palette; returns its size."""
    path.parent.mkdir(exist_ok=True)
    image.quantize(COLORS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(path, optimize=True)
    return f"{path.stat().st_size / 1000:.0f} kB"


def _difference(image, path):
    """How far an Image is from a picture that was saved."""
    former = Image.open(path).convert("RGB") if path.exists() else None
    if former is None or former.size != image.size:
        return "DIFFERS: another size, or missing"
    levels = np.abs(np.asarray(image, dtype=int) - np.asarray(former, dtype=int)).max(axis=2)
    share = float((levels > LEVELS).mean())
    return f"{'DIFFERS' if share > SAME else 'same'}: {share:.1%} of the pixels"


def darkened(image):
    """A drawing for the dark theme: light and dark change places between its paper and its text, hues stay."""
    red, green, blue = (channel / 255 for channel in np.moveaxis(np.asarray(image.convert("RGB"), dtype=float), 2, 0))
    most, least = np.maximum(np.maximum(red, green), blue), np.minimum(np.minimum(red, green), blue)
    shift = DARKEST + (LIGHTEST - DARKEST) * (1 - (most + least) / 2) - (most + least) / 2
    turned = np.stack([red + shift, green + shift, blue + shift], axis=2)
    return Image.fromarray((turned.clip(0, 1) * 255).round().astype(np.uint8))


def _film(chromium):
    """A constraint is typed beside the other first steps, training begins, and arcs turn; returns length and size."""
    with tempfile.TemporaryDirectory() as folder, server("app.py") as running:
        workspace = Workspace.open(f"sqlite:///{Path(folder) / 'workbench.sqlite'}")
        corpus = workspace.store.corpora(workspace.store.default_project())[0]
        others = [line for line in STARTER.read_text(encoding="utf-8").splitlines() if not line.startswith(TYPED)]
        save_text(workspace.store, corpus, "\n".join(others[2:]) + "\n", "first steps")
        workspace.store.close()
        running.work_in(folder)
        page = _open(chromium, running.address + "/constraints", "light", FILM_SCREEN)
        choice("ge_view", "Text")(page)
        page.wait_for_timeout(LULL)
        frames = [_photo(page)]
        page.get_by_role("textbox", name="Constraints as text").click()
        for key in ("Control+Home", "Enter", "ArrowUp"):
            page.keyboard.press(key)
        for start in range(0, len(TYPED), LETTERS):
            page.keyboard.insert_text(TYPED[start : start + LETTERS])
            if not page.get_by_text("cannot be read").count():  # half a constraint, where somebody would type faster
                frames.append(_photo(page))
        settle(page)
        frames.append(_photo(page))
        page.locator(".st-key-ge_train button").first.click()
        done = page.locator(".st-key-ge_take_away")
        while not done.count():
            frames.append(_photo(page))
            page.wait_for_timeout(PAUSE)
        settle(page)
        page.wait_for_timeout(LULL)
        frames.append(_photo(page))
        page.context.close()
    frames = [frame for frame, former in zip(frames, [None, *frames], strict=False) if frame != former]
    frames = [frames[place] for place in sorted({round(each) for each in np.linspace(0, len(frames) - 1, MOST)})]
    times = [(SECONDS * 1000 - LAST) // (len(frames) - 1)] * (len(frames) - 1) + [LAST]
    frames[0].save(FILM, save_all=True, append_images=frames[1:], duration=times, loop=0, quality=82, method=6)
    return f"{len(frames)} frames, {sum(times) / 1000:.1f} s, {FILM.stat().st_size / 1000:.0f} kB"


if __name__ == "__main__":
    main(sys.argv[1:])
