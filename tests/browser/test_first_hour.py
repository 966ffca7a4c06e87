"""The first hour: from an empty project to trees of her own pasted text, by hand, counting clicks.

In a language without a tagger; English takes the same clicks but for those of the tags.
"""

import re

import pytest
from playwright.sync_api import expect

from core.store import Store
from core.treebank import read_conllu
from tests.browser.conftest import settle

pytestmark = pytest.mark.browser
CLICKS = 25  # at most
TAGGED = 20  # words, by a key each
SENTENCES = 60
# A text in Esperanto, put together here: its function words are a closed list, its endings tell the rest.
SUBJECTS = ("la knabino", "la maljuna viro", "mia frato", "la kato", "nia instruisto")
VERBS = ("vidis", "trovas", "portos", "amas", "serĉis", "aŭdas", "vendos", "legas")
OBJECTS = ("la libron", "grandan domon", "la bonan panon", "belajn florojn", "la leteron")
PLACES = ("en la urbo", "sur la tablo", "apud malgranda arbo", "sub la ponto")
TEXT = "\n".join(
    " ".join((SUBJECTS[i % 5], VERBS[i % 8], OBJECTS[i // 8 % 5], *([PLACES[i // 40 % 4]] if i % 3 else [])))
    for i in range(SENTENCES)
)  # one sentence a line, without a mark at the end
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
KEYS = dict.fromkeys(("la", "mia", "nia"), "d") | dict.fromkeys(("en", "sur", "apud", "sub"), "a")
BY_ENDING = {"as": "v", "is": "v", "os": "v", "a": "j", "an": "j", "ajn": "j", "o": "n", "on": "n", "ojn": "n"}
LINES = """DET <- NOUN dist 1..2 per modifier = 0.9..1.0
ADJ <- NOUN dist 1 = 0.9..1.0
ADP <- NOUN dist 1..3 per modifier = 0.9..1.0
ROOT -> VERB per head = 0.9..1.0
NOUN -- VERB dist 1..3 per modifier = 0.6..1.0
"""


class Person:
    """Somebody who clicks and writes in a tab, and is counted."""

    def __init__(self, page):
        self.page, self.clicks = page, 0

    def click(self, target):
        settle(self.page)  # a click on a button that is drawn anew is lost
        self.clicks += 1
        target.click()

    def press(self, key):
        settle(self.page)
        self.clicks += 1
        self.page.keyboard.press(key)

    def write(self, name, text):
        self.click(self.page.get_by_role("textbox", name=name))
        self.page.keyboard.insert_text(text)

    def sees(self, text):
        expect(self.page.get_by_text(text, exact=False).first).to_be_visible()

    def button(self, key):
        return self.page.locator(f".st-key-{key}").get_by_role("button")

    def adds_the_text(self):
        self.click(self.button("shared_add_text"))
        self.write("Or paste text", TEXT)
        self.page.keyboard.press("Control+Enter")
        self.sees(f"{SENTENCES} sentences")
        self.click(self.button("upload_add").filter(has_text="Add"))
        self.sees("Tag the words")

    def goes_to_constraints(self):
        self.click(self.page.get_by_test_id("stTopNavSection").filter(has_text="Knowledge"))
        self.click(self.page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Constraints"))

    def learns_and_takes_away(self):
        """The text under the trees that were learnt."""
        self.click(self.button("ge_train"))
        self.click(self.button("ge_take_away"))
        with self.page.expect_download() as download:
            self.click(self.page.get_by_role("button", name="The text with its trees, CoNLL-U"))
        parsed = read_conllu(download.value.path())
        assert len(parsed) == SENTENCES and parsed.without_punctuation().single_rooted().all()
        return parsed


def test_a_language_without_a_tagger_from_paste_to_trees(open_app):
    person = Person(open_app("app.py"))
    person.adds_the_text()
    person.write("Lexicon", CLOSED)
    person.sees("tagged (")
    expect(person.page.get_by_text("Tag of “la”", exact=True)).to_have_count(0)  # the list has arrived
    for _ in range(2):  # by hand, the most frequent first
        person.sees("Tag of “")
        person.click(person.button("corpus_tag_NOUN"))
    person.goes_to_constraints()
    person.click(person.page.locator(".st-key-ge_view").get_by_text("Text", exact=True))
    person.write("Constraints as text", LINES)
    person.sees("No answer yet")  # stands beside constraints: so they have arrived
    person.learns_and_takes_away()
    assert person.clicks <= CLICKS


def test_tags_by_a_key_a_word_and_answers_give_trees_with_relations(open_app, start_app):
    start_app("app.py")
    store = Store.open(f"sqlite:///{start_app.folders['app.py']}/workbench.sqlite")
    store.create_project("Keys")  # in another one the text would have the tags of the first already
    store.close()
    person = Person(open_app("app.py", path="/?project=Keys"))
    page = person.page
    person.adds_the_text()
    asked = page.get_by_text(re.compile("^Tag of “.+”$"))
    for _ in range(TAGGED):
        expect(asked).to_be_visible()
        word = asked.inner_text().removeprefix("Tag of “").removesuffix("”")
        ending = next((each for each in sorted(BY_ENDING, key=len)[::-1] if word.endswith(each)), None)
        person.press(KEYS.get(word.lower()) or BY_ENDING[ending])
        expect(page.get_by_text(f"Tag of “{word}”", exact=True)).to_have_count(0)
    person.goes_to_constraints()
    for question, answer in (("adposition", "before"), ("object", "after"), ("adjective", "before")):
        person.click(page.locator(f'[class*="st-key-ge_begin_order_{question}"]').get_by_text(answer, exact=True))
        person.sees("Trees of the universal parser")
    parsed = person.learns_and_takes_away()
    words = {form: (tag, relation) for each in parsed
             for form, tag, relation in zip(each.forms[1:], each.upos[1:], each.deprels[1:], strict=True)}  # fmt: skip
    assert words["la"] == ("DET", "det") and words["en"] == words["sur"] == ("ADP", "case")
    assert words["grandan"] == ("ADJ", "amod") and words["vendos"] == ("VERB", "root")
    assert all(relation and tag for tag, relation in words.values())
    assert person.clicks <= CLICKS + TAGGED
