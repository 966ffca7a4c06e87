"""Parsers inside a spaCy pipeline."""

import pytest
import spacy
import srsly
from spacy.tokens import Doc

import core.parsers.spacy_component  # noqa: F401 - registers the factories, as the entry points do where installed
from core.constraints import parse_constraints, train_ge
from core.errors import ConstraintError, WorkbenchError
from core.parsers import MSTParser, load_parser
from core.rules.parsing import parse_under_rules
from core.rules.reading import parse_rules
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


RULES = "xpos:NN has no det\n* has at most 1 nsubj = 0.9 price 0.25  # no law\n"


@pytest.fixture(scope="module")
def labelled(tmp_path_factory):
    """The path of a parser that scores relations, which breaks the rules."""
    columns = {"forms": WORDS, "xpos": TAGS, "heads": HEADS, "deprels": RELATIONS}
    text = Treebank.from_sentences([{name: row[a:b] for name, row in columns.items()} for a, b in ((0, 4), (4, 6))] * 3)
    path = tmp_path_factory.mktemp("labelled") / "parser.npz"
    MSTParser(2, bits=12, label_bits=10).fit(text, epochs=5).save(path)
    return path


def arcs_of(doc):
    """(head, relation) of each word, numbered within its sentence."""
    begin = {token.i: token.sent.start for token in doc}
    return [
        (0, "root") if token.head.i == token.i else (token.head.i - begin[token.i] + 1, token.dep_) for token in doc
    ]


def test_rules_go_along_and_trees_are_those_of_the_search(labelled, tmp_path):
    source = RULES
    nlp, bare = spacy.blank("en"), spacy.blank("en")
    parser = nlp.add_pipe("mst_parser", config={"model": str(labelled), "rules": source})
    nlp.to_disk(tmp_path / "pipeline")
    assert (tmp_path / "pipeline" / "mst_parser" / "rules.txt").read_text(encoding="utf-8") == source
    assert nlp.config["components"]["mst_parser"]["rules"] == source
    loaded = spacy.load(tmp_path / "pipeline")
    assert loaded.config["components"]["mst_parser"]["rules"] == source
    copied = bare.add_pipe("mst_parser").from_bytes(parser.to_bytes())
    treebank = Treebank.from_sentences([{"forms": WORDS[a:b], "xpos": TAGS[a:b]} for a, b in ((0, 4), (4, 6))])
    model = load_parser(labelled)
    before, after = model.parse(treebank), parse_under_rules(model, treebank, parse_rules(source)).treebank
    assert before.heads.tolist() != after.heads.tolist()
    wanted = list(zip(after.heads[after.is_word].tolist(), after.deprel.strings()[after.is_word], strict=True))
    for pipeline, component in ((nlp, parser), (loaded, loaded.get_pipe("mst_parser")), (bare, copied)):
        assert arcs_of(component(doc_of(pipeline))) == wanted and component.rules == source
    (tmp_path / "pipeline" / "mst_parser" / "rules.txt").unlink()
    doc = spacy.load(tmp_path / "pipeline").get_pipe("mst_parser")(doc_of(nlp))
    assert arcs_of(doc) == list(zip(HEADS, RELATIONS, strict=True))


def test_rules_that_cannot_be_kept_are_one_sentence(labelled, trained, tmp_path):
    with pytest.raises(ConstraintError, match="line 1, column 4: expected 'has'"):
        spacy.blank("en").add_pipe("mst_parser", config={"model": str(labelled), "rules": "NN obj"})
    nlp = spacy.blank("en")
    parser = nlp.add_pipe("mst_parser", config={"model": str(labelled), "rules": "xpos:NN has no det = 0.9"})
    with pytest.raises(WorkbenchError, match="has a share and no price"):
        parser(doc_of(nlp))
    name, path, _ = trained
    if name == "ge_parser":
        parser = nlp.add_pipe(name, config={"model": str(path), "rules": "xpos:NN has no det"})
        with pytest.raises(WorkbenchError, match="'ge_parser' has rules, and its parser does not score relations"):
            parser(doc_of(nlp))
    with pytest.raises(WorkbenchError, match="not the bytes of a parser's component"):
        parser.from_bytes(srsly.msgpack_dumps({}))
    nlp.get_pipe("mst_parser").to_disk(tmp_path / "bad")
    (tmp_path / "bad" / "rules.txt").write_text("NN has up", encoding="utf-8")
    with pytest.raises(ConstraintError, match="line 1, column 8"):
        spacy.blank("en").add_pipe("mst_parser").from_disk(tmp_path / "bad")
