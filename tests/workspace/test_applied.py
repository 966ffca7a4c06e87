"""Parsers that are run on any text: saved ones, those of runs of other texts; what cannot be is said in a sentence."""

import io

import numpy as np
import pytest

from core.constraints import parse_constraints, train_grammar
from core.errors import WorkbenchError
from core.parsers import DMV, load_parser
from core.parsers.weights import file_bytes
from core.treebank import Treebank, conllu_text, load_sample
from core.workspace.applied import ENGLISH, UNIVERSAL, AvailableParse, is_unknown, offered_parsers, pruned_note
from core.workspace.compare.side_by_side import side_by_side
from core.workspace.constraints.constraint_set import save_text
from core.workspace.parses import (
    add_file,
    available_trees,
    learnt_from,
    load_parse,
    newest,
    offered_parses,
    usual_choice,
)
from core.workspace.registry import Systems
from core.workspace.runs.list import run_table
from tests.workspace.running import ended

LINES = "DET <- NOUN = 0.9\nNOUN <- VERB = 0.8\nROOT -> VERB = 0.9\n"


@pytest.fixture(scope="module")
def grammar():
    """A saved grammar, as the bytes of its file, and the parser."""
    model = train_grammar(load_sample().limit(20), parse_constraints(LINES)).model
    return file_bytes(model), model


@pytest.fixture
def systems(workspace):
    return Systems(workspace)


def test_a_saved_parser_parses_the_text_and_is_offered_to_every_other(systems, sample, add, grammar):
    key = add_file(systems, sample, "mine.npz", grammar[0])
    bank = systems.workspace.treebank(sample)
    assert load_parse(systems, sample, key).heads.tolist() == grammar[1].parse(bank).heads.tolist()
    other = add("other.conllu", conllu_text(load_sample().limit(3).to_conllu()))
    for corpus in (sample, other):
        names = {offer.key: offer.name for offer in available_trees(systems, corpus)}
        assert names[key] == "mine.npz" and names["english"] == "English parser"
        assert list(names)[-2:] == ["left", "right"]
    assert is_unknown(systems, key) and not is_unknown(systems, "english")
    assert not len(learnt_from(systems, sample, key))
    table = run_table(systems.workspace.store, systems.workspace.store.runs(sample.project))
    assert (table["kind"], table["text"]) == (["saved parser"], [sample.name])
    assert (
        key not in usual_choice(available_trees(systems, sample)) and newest(available_trees(systems, sample)) is None
    )


def test_ours_parse_the_text_under_relations(systems, sample, add):
    bank = systems.workspace.treebank(sample)
    found = load_parse(systems, sample, "universal")
    assert found.heads.tolist() == load_parser("universal").parse(bank).heads.tolist()
    assert "nsubj" in found.deprel.values and not is_unknown(systems, "universal")
    untagged = add("bare.conllu", conllu_text(Treebank.from_sentences([{"forms": ["a", "b"]}])))
    with pytest.raises(WorkbenchError, match=r"Universal parser cannot parse bare\.conllu: .*no word has a tag"):
        load_parse(systems, untagged, "universal")


def test_the_parser_of_a_run_parses_another_text(systems, add):
    some = load_sample().select(np.flatnonzero(load_sample().lengths <= 8)[:12])
    one = add("one.conllu", conllu_text(some.to_conllu()))
    other = add("other.conllu", conllu_text(some.limit(4).to_conllu()))
    save_text(systems.workspace.store, one, LINES, "typing")
    system = systems["grammar"]
    run = ended(system, system.start(system.inputs(one, system.plan(one)), system.plan(one)))
    assert newest(available_trees(systems, one)) == f"run-{run.id}"
    assert f"by-{run.id}" not in [offer.key for offer in offered_parsers(systems, one)]
    (offer,) = [offer for offer in offered_parsers(systems, other) if offer.key == f"by-{run.id}"]
    assert offer.name == f"run {run.id}, {system.parts(run)['']}, of one.conllu"
    found = load_parse(systems, other, offer.key)
    assert found.heads.tolist() == system.parser(run).parse(systems.workspace.treebank(other)).heads.tolist()
    systems.workspace.store.remove_corpus(one.id)
    (gone,) = [each for each in offered_parsers(systems, other) if each.key == offer.key]
    assert gone.name.endswith("of a removed text")
    assert learnt_from(systems, other, offer.key).tolist() == [0, 1, 2, 3]  # nobody can say any more


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda data: data[: len(data) // 2], r"mine\.npz: .*not a model saved by the workbench"),
        (lambda data: b"no parser", r"mine\.npz: .*not a model saved by the workbench"),
        (lambda data: data, r"mine\.npz: the grammar knows none of the tags of this text"),
    ],
)
def test_what_cannot_parse_the_text_says_why_and_is_not_kept(systems, add, grammar, damage, why):
    words = [{"forms": ["a", "b"], "upos": ["Q", "R"], "heads": [2, 0]}]
    other = add("foreign.conllu", conllu_text(Treebank.from_sentences(words).to_conllu()))
    with pytest.raises(WorkbenchError, match=why):
        add_file(systems, other, "mine.npz", damage(grammar[0]))
    assert systems.workspace.store.runs(other.project) == []
    assert [offer.key for offer in offered_parses(systems, other)] == ["left", "right"]


def test_a_grammar_of_other_tags_is_refused_too(systems, sample):
    words = [{"forms": ["a", "b"], "upos": ["Q", "R"], "heads": [2, 0]}] * 3
    model = DMV().fit(Treebank.from_sentences(words))
    file = io.BytesIO()
    model.save(file)
    with pytest.raises(WorkbenchError, match=r"mine\.npz: .*tags"):
        add_file(systems, sample, "mine.npz", file.getvalue())


@pytest.mark.parametrize("key", ["by-99", "by-x", "by-"])
def test_a_parser_that_is_gone_is_said_to_be(systems, sample, key):
    with pytest.raises(WorkbenchError):
        load_parse(systems, sample, key)


def test_trees_that_were_sought_among_likely_arcs_alone_are_named(systems, add):
    short = {"forms": ["Go", "on"], "upos": ["VERB", "ADV"]}
    words = {"forms": ["go"] * 201, "upos": ["VERB"] * 201, "sent_id": "long"}
    corpus = add("long.conllu", conllu_text(Treebank.from_sentences([short, words])))
    text = systems.workspace.treebank(corpus)
    offers, project = {ENGLISH.key: ENGLISH, UNIVERSAL.key: UNIVERSAL}, systems.workspace.store.default_project()

    def note(key, *index):
        return pruned_note(systems, project, offers.get(key, AvailableParse(key, key)), text, *index)

    said = note("english")
    assert said.startswith("Sentence long has 201 words: only the 20 likeliest heads of each word")
    assert said.endswith(" were considered (English parser).")
    assert (note("english", 1), note("english", 0)) == (said, "")
    assert note("universal") == note("left") == ""
    assert side_by_side(systems, corpus, list(offers.values())).notes == (said,)
