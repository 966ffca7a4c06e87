"""A second text of a language begins with what was said at the first, and may differ; tags by hand teach the list."""

import pytest
from streamlit.testing.v1 import AppTest

from core.annotation import change
from core.workspace import Tagging
from core.workspace.annotations import Annotations
from core.workspace.constraints.conditioning import first_tree
from core.workspace.constraints.constraint_set import save_text
from core.workspace.corpora import language_of
from core.workspace.languages import CONSTRAINTS, TAGGING, change_language, own_value
from core.workspace.registry import Systems
from core.workspace.word_tags import save_tagging, saved_tagging
from tests.pages.conftest import TIMEOUT
from tests.pages.reading import keys, pressed, said, shown, waited

FIRST = "El gat dorm a la casa\nLa noia mira el mar\nEl vell pescador menja peix\n"
SECOND = (
    "La nena de la casa menja el peix amb el seu germà\nEl pescador mira la noia des de la finestra\n"
    "Els nens no volen anar a dormir encara\n"
)
LIST = "el DET\nla DET\na ADP\ngat NOUN\ncasa NOUN\nnoia NOUN\nmar NOUN\nvell ADJ\npeix NOUN\ndorm VERB\nmira VERB\n"


@pytest.fixture
def first(workbench, add):
    """A text in Catalan with its list, and an answer about word order."""
    corpus = change_language(workbench.store, add("first.txt", FIRST), "ca")
    save_tagging(workbench.store, corpus, Tagging(LIST, learnt=True), "typing")
    Systems(workbench)["grammar"].save(corpus, "answering", word_order="adposition=before,determiner=before")
    return corpus


@pytest.fixture
def second(workbench, add, first):
    """Another one, without anything of its own."""
    return change_language(workbench.store, add("second.txt", SECOND), "ca")


def test_from_pasted_words_to_trees_with_relations_in_six_clicks_and_no_key(open_page, workbench, project, first):
    def script():
        from pages.shared.corpus.upload import import_panel

        import_panel()

    clicks = ["Add a text"]
    dialog = AppTest.from_function(script, default_timeout=TIMEOUT).run()
    clicks.append("into the field of the pasted text")
    dialog.text_area(key="upload_text").set_value(SECOND).run()
    pressed(dialog, "upload_add")
    clicks.append("Add")
    corpus = workbench.store.corpora(project)[-1]
    assert language_of(corpus) == "ca" and corpus.id != first.id
    app = open_page("corpus", corpus=corpus.name)
    assert "tagged" in said(app.markdown) or app.get("progress")
    words = workbench.treebank(corpus)
    settled = {form: tag for form, tag in map(str.split, LIST.splitlines())}
    seen = [(form.lower(), tag) for one in words for form, tag in zip(one.forms[1:], one.upos[1:], strict=True)]
    assert all(tag == settled[form] for form, tag in seen if form in settled) and all(tag for _, tag in seen)
    clicks.append("Continue to Constraints")
    app = open_page("constraints", corpus=corpus.name)
    assert app.get("bidi_component") and "Trees of the universal parser" in said(app.caption)
    text = Systems(workbench).learner(corpus).text(corpus)
    assert text.settings.word_order == "adposition=before,determiner=before"
    for index in range(len(words)):
        tree = first_tree(workbench, text, index)
        assert (tree.heads[1:] >= 0).all() and all(tree.relations[1:]) and "root" in tree.relations
    assert len(clicks) <= 6
    runs = workbench.store.runs(project)
    save_text(workbench.store, first, "DET <- NOUN = 0.9\n", "typing")
    app = shown(open_page("constraints", corpus=corpus.name), ge_view="text")
    assert workbench.store.runs(project) == runs  # nothing trains by itself
    clicks.append("Train")
    pressed(app, "ge_train")
    run = waited(app, workbench)
    assert run.corpus == corpus.id and run.constraint_text == "DET <- NOUN = 0.9\n" and len(clicks) <= 6
    system = Systems(workbench)[run.kind]
    outcome = system.load(run)
    assert (outcome.heads[outcome.inputs.treebank.is_word] >= 0).all()
    relations = system.relations(outcome, outcome.inputs.treebank)
    assert relations is not None and all(relations[outcome.inputs.treebank.is_word])


def sharing(app):
    """The label of the menu that says for which texts what is said counts, or None."""
    menus = [each.proto.popover for each in app.get("popover")]
    return next((menu.label for menu in menus if menu.icon == ":material/language:"), None)


def test_the_panels_say_for_which_texts_it_counts_and_a_text_may_differ(open_page, workbench, second, first):
    store = workbench.store
    app = open_page("corpus", corpus="second.txt")
    assert sharing(app) == "All texts in Catalan"
    pressed(app, "corpus_tag_NOUN")
    assert saved_tagging(store, first) == saved_tagging(store, second) != Tagging(LIST, learnt=True)
    pressed(app, "corpus_tagging_keep_own")
    assert sharing(app) == "This text only"
    save_tagging(store, second, Tagging("gat PROPN\n" + LIST.replace("gat NOUN\n", "")), "typing")
    assert "1 conflict, the newer one wins: gat: PROPN, before NOUN" in said(app.run().caption)
    other = open_page("corpus", corpus="first.txt")
    assert sharing(other) == "All texts in Catalan · 1 apart"
    pressed(app, "corpus_tagging_join")
    assert own_value(store, second, TAGGING) is None and saved_tagging(store, first).lexicon().tags("gat") == ("PROPN",)
    pressed(app, "shared_undo")
    assert own_value(store, second, TAGGING) is not None
    app = open_page("constraints", corpus="second.txt")
    assert sharing(app) == "All texts in Catalan"
    pressed(app, "ge_constraints_keep_own")
    assert sharing(app) == "All texts in Catalan, in part" and own_value(store, second, CONSTRAINTS) == ""
    assert "This text has its own constraints." in said(app.caption)
    pressed(app, "ge_constraints_join")
    assert sharing(app) == "All texts in Catalan" and own_value(store, second, CONSTRAINTS) is None
    assert sharing(open_page("constraints")) is None  # the sample


def test_tags_by_hand_are_settled_in_the_list_by_a_click(open_page, workbench, first, second):
    version = Annotations(workbench, first)
    annotation, was = version.get(0)
    version.write(0, change(annotation, "upos", 2, "PROPN"), was, "step", "tagging")
    app = open_page("corpus", corpus="first.txt", by='"Ana"')  # in whose version nothing is corrected
    assert not [name for each in app.get("segmented_control") for name in each.options if "By hand" in name]
    annotation, was = version.get(2)
    version.write(2, change(annotation, "upos", 3, "PROPN"), was, "other", "tagging")
    for query, tag in (({"by": '"Ana"'}, "NOUN"), ({}, "PROPN")):  # examples of a word are of the version that is open
        app = shown(open_page("corpus", corpus="first.txt", **query), corpus_tag_view="words")
        assert f"pescador :gray[:small[{tag}]]" in said(app.markdown)
    app = shown(open_page("corpus", corpus="second.txt"), corpus_tag_view="hand")
    assert "gat: PROPN by hand, NOUN by the list" in said(app.markdown)
    pressed(app, "corpus_teach_gat")
    assert saved_tagging(workbench.store, first).lexicon().tags("gat") == ("PROPN", "NOUN")
    assert "corpus_teach_gat" not in keys(app.button)


def test_two_lines_for_one_word_are_said(open_page, workbench, first):
    save_tagging(workbench.store, first, Tagging(LIST + "gat PROPN\n"), "typing")
    app = open_page("corpus", corpus="first.txt")
    assert "Line 12: gat is NOUN by line 4 already, which counts" in said(app.caption)
