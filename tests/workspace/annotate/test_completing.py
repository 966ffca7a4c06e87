"""Proposals on Annotate: decided anew around what is drawn, with the next best trees, by a parser that learns."""

import numpy as np
import pytest

from core.annotation import SentenceAnnotation, attach
from core.constraints import parse_constraints, train_ge, train_grammar
from core.errors import WorkbenchError
from core.parsers import DMV, DMVSettings, MSTParser
from core.parsers.english import English
from core.parsers.universal.parser import UniversalParser
from core.parsers.weights import file_bytes
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace.annotate.completing import (
    AT_ONCE,
    OTHERS,
    around,
    decided_proposal,
    finished_trees,
    proposing_parser,
)
from core.workspace.annotations import Annotations
from core.workspace.applied import BY
from core.workspace.constraints.constraint_set import save_text
from core.workspace.registry import Systems
from core.workspace.saved_models import SAVED, store_model
from tests.filled import filled
from tests.oracles.trees import is_tree
from tests.workspace.running import ended

LINES = "DT <- NN dist 1 = 0.9..1.0\nIN <- NN = 0.8\nROOT -> VBD per modifier = 0.7"
PARSERS = {
    "English": lambda text: English.load(),
    "universal": lambda text: UniversalParser.load(),
    "grammar": lambda text: train_grammar(text, parse_constraints(LINES)).model,
    "tree CRF": lambda text: train_ge(text, parse_constraints(LINES)).model,
    "siblings": lambda text: MSTParser(order=2).fit(load_sample().limit(30), epochs=1),
    "DMV": lambda text: DMV(DMVSettings(max_iterations=2)).fit(text),
}
WITHOUT_OTHERS = {"DMV"}  # it lists no trees


@pytest.fixture(scope="module")
def bank():
    bank = load_sample()
    return bank.select(np.flatnonzero((bank.lengths > 6) & (bank.lengths < 16))[:12]).to_conllu()


@pytest.fixture
def systems(workspace):
    return Systems(workspace)


@pytest.mark.parametrize("name", PARSERS)
def test_every_parser_decides_around_what_is_drawn_and_has_further_trees(bank, name):
    parser, turned = PARSERS[name](bank), 0
    for index in filled(range(len(bank))):
        text = bank.select([index])
        drawn = (np.arange(len(text.heads)) % 3 == 1) & text.is_word
        relations = np.where(drawn, text.deprel.strings(), "")
        begun = text.with_heads(np.where(drawn, text.heads, -1), relations.tolist())
        shown, alone = around(parser, begun), around(parser, text.with_heads(np.full(len(text.heads), -1)))
        trees = [shown.annotation, *shown.others]
        assert len({tree.heads for tree in trees}) == len(trees) <= OTHERS + 1
        assert (not shown.others) == (name in WITHOUT_OTHERS)
        for tree in trees:
            assert is_tree(tree.heads) and np.array(tree.heads)[drawn].tolist() == text.heads[drawn].tolist()
            assert np.array(tree.deprels)[drawn].tolist() == relations[drawn].tolist()
        turned += (np.array(alone.annotation.heads) != trees[0].heads)[~drawn & text.is_word].sum()
    assert turned > 0  # not only the drawn arcs are other ones


def test_a_parser_without_relations_proposes_none(bank):
    parser = MSTParser(order=1).fit(bank.with_heads(bank.heads), epochs=1)
    shown = around(parser, bank.select([0]).with_heads(np.full(len(bank.select([0]).heads), -1)))
    assert {*shown.annotation.deprels} == {"", "root"}


def test_what_is_drawn_is_kept_beside_a_parse_that_is_known():
    words = {"forms": ["She", "saw", "the", "captain"], "upos": ["PRON", "VERB", "DET", "NOUN"]}
    text, english = Treebank.from_sentences([words]), English.load()
    alone = around(english, text).annotation
    assert (alone.heads, alone.deprels) == ((-1, 2, 0, 4, 2), ("", "nsubj", "root", "det", "obj"))
    drawn = text.with_heads([-1, -1, 4, -1, -1], ["", "", "acl", "", ""])
    for parsed in (None, alone):
        shown = around(english, drawn, parsed).annotation
        assert (shown.heads[2], shown.deprels[2], shown.heads[4], shown.heads.count(0)) == (4, "acl", 0, 1)
        assert (shown.heads[3], shown.deprels[3]) == (4, "det")
    other = SentenceAnnotation.of(text.with_heads([-1, 0, 1, 1, 1], ["", "root", "x", "x", "x"])[0])
    whole = text.with_heads(other.heads, other.deprels)
    assert around(english, whole).annotation == alone  # what the parser says beside a tree that is whole
    assert around(english, text, other).annotation == around(english, whole, other).annotation == other
    assert other.heads not in {tree.heads for tree in around(english, text, other).others}


def test_a_word_without_tag_gets_one_from_the_english_parser():
    words = {"forms": ["Nobody", "told", "the", "captain"], "upos": ["PRON", "X", "DET", ""]}
    shown = around(English.load(), Treebank.from_sentences([words])).annotation
    assert shown.upos[1:] == ("PRON", "VERB", "DET", "NOUN") and all(shown.xpos[1:])


def bare(bank):
    return conllu_text(bank.with_heads(np.full(len(bank.heads), -1), [""] * len(bank.heads)))


def draw(layer, bank, index, words=None):
    """Draw a sentence as the treebank has it, or some of its words."""
    annotation, revision = layer.get(index)
    for word in range(1, len(annotation) + 1) if words is None else words:
        annotation = attach(annotation, word, int(bank[index].heads[word]), bank[index].deprels[word] or None)
    layer.write(index, annotation, revision, f"draw {index} {words}", "drawing")


def test_the_universal_parser_learns_from_sentences_that_are_done(systems, add, bank):
    corpus = add("bare.conllu", bare(bank))
    layer, parsers = Annotations(systems.workspace, corpus), []
    for index in range(AT_ONCE + 1):
        parsers.append(proposing_parser(systems, corpus, "universal", index=AT_ONCE + 1))
        draw(layer, bank, index)
        assert len(finished_trees(systems.workspace, corpus)) == index // AT_ONCE * AT_ONCE
        layer.set_status(index, "done")
    trees = finished_trees(systems.workspace, corpus)
    assert [sentence.heads.tolist() for sentence in trees] == [bank[index].heads.tolist() for index in range(AT_ONCE)]
    now = proposing_parser(systems, corpus, "universal", index=AT_ONCE + 1)
    assert len({parser.key for parser in parsers}) <= 2 and now.key != parsers[0].key
    assert len(finished_trees(systems.workspace, corpus, "Ann")) == 0  # another version has its own
    own = proposing_parser(systems, corpus, "universal", index=0)  # of a sentence that is done
    assert own.parser.corrections is None and own.key[: len(parsers[0].key)] == own.key


def test_each_correction_is_answered_and_never_changes_what_was_drawn(systems, add, bank):
    corpus = add("bare.conllu", bare(bank))
    layer = Annotations(systems.workspace, corpus)
    first = decided_proposal(systems, layer, 0, "universal")
    wrong = [m for m in range(1, len(bank[0])) if first.annotation.heads[m] != bank[0].heads[m]]
    assert first.others and wrong
    draw(layer, bank, 0, range(1, wrong[0] + 1))
    before, after = layer.get(0), decided_proposal(systems, layer, 0, "universal")
    assert layer.get(0) == before and after.annotation.heads[: wrong[0] + 1] == before[0].heads[: wrong[0] + 1]


def test_runs_and_saved_parsers_are_asked_and_other_parses_kept_around(systems, add, bank):
    corpus = add("trees.conllu", conllu_text(bank))
    save_text(systems.workspace.store, corpus, "DET <- NOUN = 0.9\nROOT -> VERB = 0.9\n", "typing")
    system = systems["grammar"]
    run = ended(system, system.start(system.inputs(corpus, system.plan(corpus)), system.plan(corpus)))
    model = system.parser(run)
    saved = store_model(systems.workspace.store, corpus, SAVED, "mine.npz", file_bytes(model))
    layer = Annotations(systems.workspace, add("bare.conllu", bare(bank)))
    draw(layer, bank, 0, [1, 2])
    answers = [decided_proposal(systems, layer, 0, key) for key in (f"run-{run.id}", f"{BY}{saved}")]
    assert answers[0].annotation.heads == answers[1].annotation.heads and answers[0].others
    parsed = SentenceAnnotation.of(bank[0])
    kept = decided_proposal(systems, layer, 0, f"corpus-{corpus.id}", parsed)
    assert kept.others == () and kept.annotation.heads[1:3] == parsed.heads[1:3]
    assert decided_proposal(systems, layer, 0, f"corpus-{corpus.id}") is None


def test_a_text_without_tags_is_refused_in_a_sentence(systems, add):
    corpus = add("words.conllu", conllu_text(Treebank.from_sentences([{"forms": ["a", "b"]}])))
    with pytest.raises(WorkbenchError, match=r"cannot parse this sentence: words\.conllu: no word has a tag"):
        decided_proposal(systems, Annotations(systems.workspace, corpus), 0, "universal")
