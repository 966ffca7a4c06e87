"""Labels offered on Annotate: those of the text, of other texts of its language, of UD, and those given by hand."""

import pytest

from core.errors import WorkbenchError
from core.workspace.annotate.labels import OfferedLabels, offered_labels
from core.workspace.annotate.view import editor_data
from core.workspace.annotations import Annotations
from core.workspace.languages import change_language
from tests.workspace.annotate.conftest import changed

HERE = "1\tgatos\t_\tNOUN\t_\tGender=Masc\t2\tnsubj\t_\t_\n2\tduermen\t_\tVERB\t_\t_\t0\troot\t_\tGloss=sleep\n\n"
THERE = """1\tvistos\tver\tVERB\t_\tMood=Ind\t0\troot\t_\t_
2\tduermen\tdormir\tVERB\t_\tMood=Ind|Number=Plur\t1\tnsubj:odd\t_\tGloss=doze

"""


@pytest.fixture
def text(workspace, add):
    """A text of Spanish, beside another one that has more."""
    for name, content in (("there.conllu", THERE), ("here.conllu", HERE)):
        corpus = change_language(workspace.store, add(name, content), "es")
    return corpus


def data(workspace, corpus):
    return offered_labels(workspace, corpus).as_data(Annotations(workspace, corpus).get(0)[0])


def test_the_text_comes_first_then_its_language_then_ud(workspace, text):
    given = data(workspace, text)
    own, more = given["features"]["NOUN"]
    assert own == ["Gender=Masc"] and "Gender=Fem" in more and "Gender=Masc" not in more
    assert given["features"]["VERB"][0] == ["Mood=Ind", "Number=Plur"]
    assert given["subtypes"]["nsubj"] == [("nsubj:odd", "o"), ("nsubj:outer", "u"), ("nsubj:pass", "p")]
    offered = given["offered"]
    assert offered["gloss"] == [[], [], ["sleep", "doze"]]
    assert offered["lemmas"][2] == ["dormir"]
    assert offered["feats"][2] == ["Mood=Ind|Number=Plur"]
    assert offered["lemmas"][1] == ["gatos"]


def test_texts_of_another_language_offer_nothing(workspace, text):
    text = change_language(workspace.store, text, "pt")
    given = data(workspace, text)
    assert given["features"]["VERB"][0] == []
    assert [name for name, _ in given["subtypes"]["nsubj"]] == ["nsubj:outer", "nsubj:pass"]
    assert given["offered"]["gloss"][2] == ["sleep"]


def test_what_somebody_has_given_a_word_is_known_for_this_tag_in_this_version(workspace, text):
    layer = Annotations(workspace, text)
    changed(layer, 0, do="change", column="feats", word=2, value="Mood=Indd")
    assert "Mood=Indd" in offered_labels(workspace, text).features("VERB")[0]
    assert "Mood=Indd" not in offered_labels(workspace, text).features("NOUN")[0]
    assert "Mood=Indd" not in offered_labels(workspace.of_version("Ann"), text).features("VERB")[0]
    changed(layer, 0, do="change", column="feats", word=1, value="Odd=Yes")
    assert offered_labels(workspace, text).features("NOUN")[0] == ["Gender=Masc", "Odd=Yes"]


def test_a_text_of_the_language_that_cannot_be_read_is_passed_over(workspace, text, monkeypatch):
    source = workspace.source

    def broken(self, corpus):
        if corpus.id != text.id:
            raise WorkbenchError("its file is gone")
        return source(corpus)

    monkeypatch.setattr(type(workspace), "source", broken)
    assert data(workspace, text)["features"]["VERB"][0] == []


def test_a_text_of_other_labels_gets_none_of_ud(workspace, add):
    rows = HERE.replace("NOUN", "NC").replace("VERB", "VMI").replace("nsubj", "SUJ").replace("root", "ROOT")
    corpus = add("other.conllu", rows)
    given = data(workspace, corpus)
    assert given["features"]["NC"] == (["Gender=Masc"], []) and given["features"]["VMI"] == ([], [])
    assert given["subtypes"] == {}


def test_the_editor_is_given_them_with_glosses_as_columns(workspace, text):
    layer = Annotations(workspace, text)
    given = editor_data(layer, 0, OfferedLabels.of(layer.source), {})
    assert given["columns"]["gloss"] == ["", "", "sleep"] and given["columns"]["translit"] == ["", "", ""]
    assert dict(given["upos"])["NOUN"] == "n" and dict(given["upos"])["PUNCT"] == "u"
