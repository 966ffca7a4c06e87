"""A linguist corrects a text, and after each correction asks every page: they agree, or say why not."""

import json
import re

import pytest
from playwright.sync_api import expect

from core.treebank import read_conllu
from core.workspace import Workspace, add_corpus
from core.workspace.annotations import Annotations
from core.workspace.registry import Systems
from tests.browser.conftest import settle
from tests.filled import filled
from tests.patience import PATIENCE

pytestmark = pytest.mark.browser
NAME = "journey.conllu"
SUBJECTS = ("el gat", "la noia", "un home", "la mestra")
VERBS = ("dorm", "menja", "corre", "salta", "mira")
SENTENCES = [f"{subject} sovint {verb} ." for verb in VERBS for subject in SUBJECTS]
TAGS = ["DET", "NOUN", "ADV", "VERB", "PUNCT"]
TREE = {"heads": [2, 4, 4, 0, 4], "deprels": ["det", "nsubj", "advmod", "root", "punct"]}
OTHER = TREE | {
    "heads": [2, 3, 4, 0, 4],
    "deprels": ["det", "nmod", "advmod", "root", "punct"],
}
DONE = 6  # sentences that are done when the run is made
LINES = "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\nADV <- VERB = 0.9\n"
COUNTED = 4  # words of a sentence without its full stop
SECTIONS = {
    "Corpus": "Text", "Annotate": "Text", "Compare": "Evaluate", "Runs": "Evaluate", "Consensus": "Knowledge",
    "Constraints": "Knowledge",
}  # fmt: skip


def rows_of(sentence):
    words = zip(sentence.split(), TAGS, strict=True)
    return [f"{number}\t{form}\t_\t{tag}" + "\t_" * 6 for number, (form, tag) in enumerate(words, 1)]


def corrected_text(folder):
    """A store with a text of which a parser was trained from constraints, and the first sentences are done."""
    workspace = Workspace.open(f"sqlite:///{folder}/workbench.sqlite")
    store, project = workspace.store, workspace.store.default_project()
    data = "".join("\n".join(rows_of(sentence)) + "\n\n" for sentence in SENTENCES).encode()
    corpus = store.corpus(add_corpus(store, project, NAME, data)[0])
    ours = Annotations(workspace, corpus)
    for index in range(DONE):
        annotation, was = ours.get(index)
        ours.write(index, annotation.with_values(OTHER if index % 2 else TREE), was, f"{index}", "correcting")
        ours.set_status(index, "done")
    crf = Systems(workspace)["ge"]
    number = crf.train(crf.text(corpus), LINES)
    assert workspace.jobs.wait(number, PATIENCE).status == "done"
    parse = crf.load(store.run(number)).parses[""]
    (folder / "parsed.json").write_text(json.dumps([sentence.heads[1:].tolist() for sentence in parse]))
    store.close()


class Linguist:
    """Somebody with a tab, who remembers what she has corrected and what the parser said before."""

    def __init__(self, page, parsed):
        expect(page).to_have_url(re.compile(f"&sentence={DONE}$"))  # it opens where somebody was last
        self.address = page.url.removesuffix(f"&sentence={DONE}")
        self.page, self.parsed, self.by = page, parsed, ""
        self.trees = {index: OTHER if index % 2 else TREE for index in range(DONE)}
        self.tags, self.done, self.theirs = {}, set(range(DONE)), {}
        self.first = self.score()

    def score(self):
        """(right heads of the parser, scored words) in the sentences that are done, punctuation left out."""
        pairs = [pair for index in sorted(self.done)
                 for pair in zip(self.parsed[index][:COUNTED], self.trees[index]["heads"], strict=False)]  # fmt: skip
        return sum(mine == its for mine, its in pairs), len(pairs)

    def goes_to(self, title):
        settle(self.page)
        self.page.get_by_test_id("stTopNavSection").filter(has_text=SECTIONS[title]).click()
        self.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=title).click()
        expect(self.page.get_by_role("heading", name=title, exact=True)).to_be_visible()
        settle(self.page)
        sign = self.page.get_by_text(f"{self.by}’s version", exact=False)
        if self.by and title not in ("Corpus", "Annotate"):
            self.sees("this page reads the project’s trees")
        elif self.by:
            expect(sign.first).to_be_visible()

    def sees(self, text):
        expect(self.page.get_by_text(text, exact=False).first).to_be_visible()

    def at(self, index):
        """At a sentence in Annotate, her keys go to its tree."""
        whose = "" if not self.by else f"&by=%22{self.by}%22"
        self.page.goto(f"{self.address}&sentence={index + 1}{whose}")
        self.sees(f"Sentence {index + 1} of {len(SENTENCES)}")
        expect(self.page.locator("g.word").first).to_be_focused()

    def presses(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def reads(self, word, label):
        expect(self.page.locator("g.word").nth(word - 1)).to_have_attribute("aria-label", re.compile(label))
        settle(self.page)

    def has_status(self, status):
        expect(self.page.locator(".st-key-ann_status [aria-checked='true']")).to_have_text(status)
        settle(self.page)

    def finishes(self, index):
        """A sentence of bare words gets the TREE, heads first, and is marked done."""
        self.at(index)
        self.presses("g", "b", "d", "d", "n", "d", "a", "0", "d", "p")
        self.reads(5, "head 4 .*punct")
        self.presses("d")
        self.has_status("done")

    def taken_away(self, *buttons):
        """The Treebank of the file that the last of some buttons gives."""
        *before, last = buttons
        for button in before:
            button.click()
        with self.page.expect_download() as download:
            last.click()
        if before:
            self.page.keyboard.press("Escape")
        return read_conllu(download.value.path())

    def finds_hers(self, bank, trees, tags):
        for index in filled(range(len(bank))):
            sentence, tree = bank[index], trees.get(index)
            assert list(sentence.upos[1:]) == tags.get(index, TAGS)
            if tree is None:
                assert (sentence.heads < 0).all()
            else:
                assert sentence.heads[1:].tolist() == tree["heads"] and list(sentence.deprels[1:]) == tree["deprels"]

    def asks_corpus(self):
        self.goes_to("Corpus")
        trees, tags = (self.theirs, {}) if self.by else (self.trees, self.tags)
        self.sees(f"{len(SENTENCES) - len(trees)} without a whole tree")
        export = self.page.locator(".st-key-corpus_take_away button").first
        button = self.page.locator(".st-key-corpus_download_conllu button")
        self.finds_hers(self.taken_away(export, button), trees, tags)

    def asks_compare(self):
        self.goes_to("Compare")
        self.sees(f"{len(self.done)} sentences corrected by hand")
        right, words = self.score()
        self.sees(f"UAS, no punct. of {words} words")
        cells = self.page.locator('[class*="st-key-cmp_scores"] td')
        expect(cells.filter(has_text=re.compile(rf"{right / words:.1%} · {right}$")).first).to_be_attached()

    def asks_errors(self):
        self.goes_to("Constraints")
        self.page.locator(".st-key-ge_results").get_by_text("Errors", exact=True).click()
        right, words = self.score()
        have = "has" if words - right == 1 else "have"
        by = f"without punctuation, in {len(self.done)} sentences corrected by hand"
        self.sees(f"{words - right} of {words} words {have} a wrong head, {by}")
        if changed := len(self.tags):
            have = "tag has" if changed == 1 else "tags have"
            self.sees(f"{changed} {have} changed since it parsed them")

    def asks_runs(self):
        """A run says what it scored then, and on how many sentences."""
        self.goes_to("Runs")
        self.page.locator(".st-key-run_view").get_by_text("For a paper", exact=True).click()
        right, words = self.first
        self.sees(f"{right / words:.1%} ({right} of {words}, in {DONE} sentences corrected by hand)")

    def asks_consensus(self):
        self.goes_to("Consensus")
        self.page.locator(".st-key-cs_texts button").first.click()
        taught = f"The {len(self.done)} sentences ({5 * len(self.done)} words) with trees teach"
        self.sees(f"{taught}; the other {len(SENTENCES) - len(self.done)}")
        self.page.keyboard.press("Escape")

    def asks_all(self):
        self.asks_corpus()
        self.asks_compare()
        self.asks_errors()
        self.asks_runs()
        self.asks_consensus()


@pytest.fixture
def linguist(open_app, start_app):
    start_app("app.py", corrected_text)
    parsed = json.loads((start_app.folders["app.py"] / "parsed.json").read_text())
    return Linguist(open_app("app.py", path=f"/annotate?corpus={NAME}"), parsed)


def test_what_is_corrected_in_one_place_counts_in_all(linguist):
    linguist.asks_all()
    linguist.at(0)  # a tag
    linguist.presses("ArrowRight", "ArrowRight", "u", "t")
    linguist.reads(3, "PART")
    linguist.tags[0] = ["DET", "NOUN", "PART", "VERB", "PUNCT"]
    linguist.asks_all()
    linguist.at(1)  # a head
    linguist.presses("ArrowRight", "h", "d", "n")
    linguist.reads(2, "head 4 .*nsubj")
    linguist.trees[1] = TREE
    linguist.asks_all()
    linguist.at(2)  # a relation
    linguist.presses("ArrowRight", "ArrowRight", "r", "b")
    linguist.reads(3, "head 4 .*obl")
    linguist.trees[2] = TREE | {"deprels": ["det", "nsubj", "obl", "root", "punct"]}
    linguist.finishes(DONE)
    linguist.trees[DONE] = TREE
    linguist.done.add(DONE)
    linguist.asks_all()
    linguist.at(DONE)  # what is done, taken back: shown as begun, and not counted
    linguist.presses("z")
    linguist.has_status("begun")
    linguist.done.remove(DONE)
    linguist.asks_all()
    linguist.by = "Ana"  # a second person's version
    linguist.finishes(DONE + 1)
    linguist.theirs[DONE + 1] = TREE
    linguist.asks_all()
    linguist.page.locator(".st-key-shared_leave_version button").click()
    linguist.by = ""
    linguist.asks_corpus()
