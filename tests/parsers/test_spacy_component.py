"""Parsers inside a spaCy pipeline."""

import pytest
import spacy
from spacy.tokens import Doc

import core.parsers.spacy_component  # noqa: F401 - registers the factories, as the entry points do where installed
from core.constraints import parse_constraints, train_ge
from core.errors import WorkbenchError
from core.parsers import MSTParser
from core.treebank import Treebank

WORDS, TAGS = ["the", "cat", "sat", ".", "it", "slept"], ["DT", "NN", "VBD", ".", "PRP", "VBD"]
HEADS, RELATIONS = [2, 3, 0, 3, 2, 0], ["det", "nsubj", "root", "punct", "nsubj", "root"]
CONSTRAINTS = "DT <- NN = 1\nROOT -> VBD = 1\nNN <- VBD = 1\nPRP <- VBD = 1\nVBD -> . = 1"


@pytest.fixture(scope="module", params=["ge_parser", "mst_parser"])
def trained(request, tmp_path_factory):
    """(component, path of its model, relations that it gives)."""
    columns = {"forms": WORDS, "xpos": TAGS, "heads": HEADS, "deprels": RELATIONS}
    text = Treebank.from_sentences([{name: row[a:b] for name, row in columns.items()} for a, b in ((0, 4), (4, 6))] * 3)
    path = tmp_path_factory.mktemp("model") / "parser.npz"
    if request.param == "ge_parser":
        train_ge(text, parse_constraints(CONSTRAINTS)).model.save(path)
        return request.param, path, ["dep", "dep", "ROOT", "dep", "dep", "ROOT"]
    MSTParser(2, bits=12, label_bits=10).fit(text, epochs=5).save(path)
    return request.param, path, ["det", "nsubj", "ROOT", "punct", "nsubj", "ROOT"]


def doc_of(nlp):
    doc = Doc(nlp.vocab, words=WORDS, sent_starts=[True, False, False, False, True, False])
    for token, tag in zip(doc, TAGS, strict=True):
        token.tag_ = tag
    return doc


def test_heads_and_relations_are_set_also_where_the_pipeline_was_saved(trained, tmp_path):
    name, path, relations = trained
    nlp, bare = spacy.blank("en"), spacy.blank("en")
    parser = nlp.add_pipe(name, config={"model": str(path)})
    nlp.to_disk(tmp_path / "pipeline")
    loaded = spacy.load(tmp_path / "pipeline")
    copied = bare.add_pipe(name).from_bytes(parser.to_bytes())
    for pipeline, component in ((nlp, parser), (loaded, loaded.get_pipe(name)), (bare, copied)):
        doc = component(doc_of(pipeline))
        assert [token.head.i for token in doc] == [1, 2, 2, 2, 5, 5]
        assert [token.dep_ for token in doc] == relations
        assert [sentence.root.text for sentence in doc.sents] == ["sat", "slept"]
        assert len(component(Doc(pipeline.vocab))) == 0


def test_a_component_without_a_model_says_so():
    nlp = spacy.blank("en")
    with pytest.raises(WorkbenchError, match="has no model; give config="):
        nlp.add_pipe("ge_parser")(doc_of(nlp))
