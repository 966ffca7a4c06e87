"""The first hour: from an empty project to trees of her own pasted text, by hand, counting clicks.

In a language without a tagger; English takes the same clicks but for those of the tags.
"""

import pytest
from playwright.sync_api import expect

from core.treebank import read_conllu

pytestmark = pytest.mark.browser
expect.set_options(timeout=480_000)  # milliseconds after which something hangs
CLICKS = 25  # at most
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
LINES = """DET <- NOUN dist 1..2 per modifier = 0.9..1.0
ADJ <- NOUN dist 1 = 0.9..1.0
ADP <- NOUN dist 1..3 per modifier = 0.9..1.0
ROOT -> VERB per head = 0.9..1.0
NOUN -- VERB dist 1..3 per modifier = 0.6..1.0
"""


def test_a_language_without_a_tagger_from_paste_to_trees(open_app):
    page, clicks = open_app("app.py"), 0

    def click(target):
        nonlocal clicks
        clicks += 1
        target.click()

    def write(name, text):
        click(page.get_by_role("textbox", name=name))
        page.keyboard.insert_text(text)

    def seen(text):
        expect(page.get_by_text(text, exact=False).first).to_be_visible()

    def button(key):
        return page.locator(f".st-key-{key}").get_by_role("button")

    click(button("shared_add_text"))
    write("Or paste text", TEXT)
    page.keyboard.press("Control+Enter")
    seen(f"{SENTENCES} sentences")
    click(button("upload_add").filter(has_text="Add"))
    seen("Tag the words")
    write("Lexicon", CLOSED)
    seen("tagged (")
    for _ in range(2):  # by hand, the most frequent first
        seen("Tag of “")
        click(button("corpus_tag_NOUN"))
    click(page.get_by_test_id("stTopNavSection").filter(has_text="Knowledge"))
    click(page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Constraints"))
    click(page.locator(".st-key-ge_view").get_by_text("Text", exact=True))
    write("Constraints as text", LINES)
    seen("lines cannot be expressed exactly in MALLET")  # so they have arrived
    click(button("ge_train"))
    click(button("ge_take_away"))
    with page.expect_download() as download:
        click(page.get_by_role("button", name="The text with its trees, CoNLL-U"))
    parsed = read_conllu(download.value.path())
    assert len(parsed) == SENTENCES and parsed.without_punctuation().single_rooted().all()
    assert clicks <= CLICKS
