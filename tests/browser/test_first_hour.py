"""The first hour: from an empty project to trees of her own pasted text, by hand, counting clicks and seconds."""

import time

import pytest
from playwright.sync_api import expect

from core.treebank import load_sample, read_conllu

pytestmark = pytest.mark.browser
PATIENCE = 480_000  # milliseconds after which something hangs
CLICKS = 25  # at most
SENTENCES = 200
ENGLISH = """DET <- NOUN dist 1..3 per modifier = 0.9..1.0
ADP <- {NOUN PROPN PRON} dist 1..4 per modifier = 0.9..1.0
ROOT -> VERB per head = 0.8..1.0
{PRON NOUN PROPN} <- VERB dist 1..3 per modifier = 0.5..0.9
AUX <- VERB dist 1..3 per modifier = 0.8..1.0
"""
# A text in Esperanto, put together here: its function words are a closed list, its endings tell the rest.
SUBJECTS = ("la knabino", "la maljuna viro", "mia frato", "la kato", "nia instruisto")
VERBS = ("vidis", "trovas", "portos", "amas", "serĉis", "aŭdas", "vendos", "legas")
OBJECTS = ("la libron", "grandan domon", "la bonan panon", "belajn florojn", "la leteron")
PLACES = ("en la urbo", "sur la tablo", "apud malgranda arbo", "sub la ponto")
CLOSED = """la DET
mia DET
nia DET
en ADP
sur ADP
apud ADP
sub ADP
-as VERB
-is VERB
-os VERB
-an ADJ
-ajn ADJ
-a ADJ
-on NOUN
-ojn NOUN
"""
LINES = """DET <- NOUN dist 1..2 per modifier = 0.9..1.0
ADJ <- NOUN dist 1 = 0.9..1.0
ADP <- NOUN dist 1..3 per modifier = 0.9..1.0
ROOT -> VERB per head = 0.9..1.0
NOUN -- VERB dist 1..3 per modifier = 0.6..1.0
"""


class Hands:
    """A page and what she did on it: every click counts, a field that she types into is clicked first."""

    def __init__(self, page):
        self.page, self.clicks, self.began = page, 0, time.monotonic()
        page.set_default_timeout(PATIENCE)

    def click(self, target):
        target.click()
        self.clicks += 1

    def type(self, target, text):
        self.click(target)
        self.page.keyboard.insert_text(text)

    def seen(self, text):
        expect(self.page.get_by_text(text, exact=False).first).to_be_visible(timeout=PATIENCE)

    def at(self, key):
        return self.page.locator(f".st-key-{key}")

    def go(self, section, name):
        self.click(self.page.get_by_test_id("stTopNavSection").filter(has_text=section))
        self.click(self.page.get_by_test_id("stTopNavDropdownLink").filter(has_text=name))


def esperanto():
    """SENTENCES different sentences, one per line, without a mark at the end."""
    found = [
        " ".join((SUBJECTS[i % 5], VERBS[i % 8], OBJECTS[i // 8 % 5], *([PLACES[i // 40 % 4]] if i % 3 else [])))
        for i in range(SENTENCES)
    ]
    return "\n".join(found)


def add(hands, text):
    hands.click(hands.at("shared_add_text").get_by_role("button"))
    hands.type(hands.page.get_by_role("textbox", name="Or paste text"), text)
    hands.page.keyboard.press("Control+Enter")
    hands.seen("200 sentences")
    return hands.at("upload_add").get_by_role("button", name="Add")


def train_and_take_away(hands, lines):
    """Write the lines, train, and return the treebank downloaded."""
    hands.go("Knowledge", "Constraints")
    hands.click(hands.at("ge_view").get_by_text("Text", exact=True))
    area = hands.page.get_by_role("textbox", name="Constraints as text")
    hands.click(area)
    hands.page.keyboard.press("Control+A")
    hands.page.keyboard.insert_text(lines)
    hands.seen("lines cannot be expressed exactly in MALLET")  # so they have arrived
    hands.click(hands.at("ge_train").get_by_role("button"))
    hands.click(hands.at("ge_take_away").get_by_role("button"))
    with hands.page.expect_download() as download:
        hands.click(hands.page.get_by_role("button", name="The text with its trees, CoNLL-U"))
    return read_conllu(download.value.path())


def told(hands, language):
    minutes = (time.monotonic() - hands.began) / 60
    print(f"\n{language}: {hands.clicks} clicks, {minutes:.1f} minutes")
    assert hands.clicks <= CLICKS


def test_english_from_paste_to_trees(open_app):
    hands = Hands(open_app("app.py"))
    text = "\n".join(load_sample()[i].text for i in range(SENTENCES))
    hands.click(add(hands, text))
    hands.seen("200 sentences")
    parsed = train_and_take_away(hands, ENGLISH)
    assert len(parsed) == SENTENCES and (parsed.heads[1 : parsed.offsets[1]] >= 0).all()
    told(hands, "English")


def test_a_language_without_a_tagger_from_paste_to_trees(open_app):
    hands = Hands(open_app("app.py"))
    hands.click(add(hands, esperanto()))
    hands.seen("Tag the words")
    hands.type(hands.page.get_by_role("textbox", name="Lexicon"), CLOSED)
    hands.seen("tagged (")
    for _ in range(2):  # by hand, the most frequent first
        hands.seen("Tag of “")
        hands.click(hands.at("corpus_tag_it").get_by_role("button"))
    parsed = train_and_take_away(hands, LINES)
    assert len(parsed) == SENTENCES and parsed.without_punctuation().single_rooted().all()
    told(hands, "Esperanto")
