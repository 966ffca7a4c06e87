"""The parser inside a spaCy pipeline."""

import pytest
import spacy
from spacy.tokens import Doc

import core.parsers.spacy_component  # noqa: F401 - registers the factory, as the entry point does where installed
from core.constraints import parse_constraints, train_ge
from core.errors import WorkbenchError
from core.treebank import Treebank

WORDS, TAGS = ["the", "cat", "sat", ".", "it", "slept"], ["DT", "NN", "VBD", ".", "PRP", "VBD"]


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    sentences = [{"forms": WORDS[:4], "xpos": TAGS[:4]}, {"forms": WORDS[4:], "xpos": TAGS[4:]}]
    constraints = parse_constraints("DT <- NN = 1\nROOT -> VBD = 1\nNN <- VBD = 1\nPRP <- VBD = 1\nVBD -> . = 1")
    path = tmp_path_factory.mktemp("model") / "parser.npz"
    train_ge(Treebank.from_sentences(sentences * 3), constraints).model.save(path)
    return path


def doc_of(nlp):
    doc = Doc(nlp.vocab, words=WORDS, sent_starts=[True, False, False, False, True, False])
    for token, tag in zip(doc, TAGS, strict=True):
        token.tag_ = tag
    return doc


def test_heads_and_relations_are_set(model):
    nlp = spacy.blank("en")
    parser = nlp.add_pipe("ge_parser", config={"model": str(model)})
    doc = parser(doc_of(nlp))
    assert [token.head.i for token in doc] == [1, 2, 2, 2, 5, 5]
    assert [token.dep_ for token in doc] == ["dep", "dep", "ROOT", "dep", "dep", "ROOT"]
    assert [sentence.root.text for sentence in doc.sents] == ["sat", "slept"]
    assert len(parser(Doc(nlp.vocab))) == 0


def test_a_pipeline_is_saved_and_loaded(model, tmp_path):
    nlp = spacy.blank("en")
    nlp.add_pipe("ge_parser", config={"model": str(model)})
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    doc = loaded.get_pipe("ge_parser")(doc_of(loaded))
    assert [token.head.i for token in doc] == [1, 2, 2, 2, 5, 5]
    again = spacy.blank("en")
    component = again.add_pipe("ge_parser")
    component.from_bytes(nlp.get_pipe("ge_parser").to_bytes())
    assert [token.head.i for token in component(doc_of(again))] == [1, 2, 2, 2, 5, 5]


def test_a_component_without_a_model_says_so():
    nlp = spacy.blank("en")
    parser = nlp.add_pipe("ge_parser")
    with pytest.raises(WorkbenchError, match="has no model; give config="):
        parser(doc_of(nlp))
