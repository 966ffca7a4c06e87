"""Relations of predicted trees: none, by rules, learnt from trees by hand or of another text; what cannot be had."""

import io
from dataclasses import replace

import numpy as np
import pytest

from core.constraints.ge.baselines import attach_right
from core.errors import WorkbenchError
from core.parsers import load_parser
from core.parsers.labels import has_relations
from core.parsers.weights import file_bytes
from core.workspace.annotate.proposals import parse_of
from core.workspace.annotations import Annotations
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.parses import load_parse, offers_of, relations_learnt_from
from core.workspace.registry import Systems
from core.workspace.relations import choose_relations, chosen_relations, relation_choices
from tests.workspace.running import ended

TEXT = """1\tthe\t_\tDET\tDT\t_\t2\tspec\t_\t_
2\tcat\t_\tNOUN\tNN\t_\t3\targ\t_\t_
3\tsleeps\t_\tVERB\tVB\t_\t0\troot\t_\t_
4\t.\t_\tPUNCT\t.\t_\t3\tmark\t_\t_

"""
PLAIN = TEXT.replace("spec", "dep").replace("arg", "dep").replace("mark", "dep")


@pytest.fixture
def corpus(workspace, add):
    return add("plain.conllu", PLAIN * 3)


def labels(workspace, corpus):
    parse = chosen_relations(workspace, corpus).applied(attach_right(workspace.treebank(corpus)))
    return parse[0].deprels[1:]


def test_trees_have_the_relations_that_are_chosen_for_their_text(workspace, corpus, add):
    other = add("trees.conllu", TEXT * 3)
    assert list(relation_choices(workspace, corpus)) == ["none", "rules", "hand", "corpus-1", f"corpus-{other.id}"]
    assert labels(workspace, corpus) == ("dep", "dep", "dep", "root")
    choose_relations(workspace, corpus, "rules")
    assert labels(workspace, corpus) == ("det", "nsubj", "dep", "root")  # the verb hangs on the full stop
    choose_relations(workspace, corpus, f"corpus-{other.id}")
    assert chosen_relations(workspace, corpus).source == "learnt from 3 trees of trees.conllu"
    right = workspace.treebank(corpus)
    assert chosen_relations(workspace, corpus).applied(right)[0].deprels[1:] == ("spec", "arg", "root", "mark")
    own = workspace.treebank(other)
    assert chosen_relations(workspace, corpus).applied(own) is own  # a parser's own relations stay
    workspace.store.undo(corpus.project)
    assert chosen_relations(workspace, corpus).choice == "rules"


def test_relations_are_learnt_from_sentences_annotated_by_hand_as_they_are_now(workspace, corpus):
    layer = Annotations(workspace, corpus)
    with pytest.raises(WorkbenchError, match="no sentence of this text is annotated by hand with a whole tree"):
        choose_relations(workspace, corpus, "hand")
    assert chosen_relations(workspace, corpus).choice == "none"
    drawn = replace(layer.get(0)[0], deprels=("", "spec", "arg", "root", "mark"))
    layer.write(0, drawn, layer.get(0)[1], "a", "drawing")
    layer.set_status(0, "done")
    choose_relations(workspace, corpus, "hand")
    found = chosen_relations(workspace, corpus)
    assert found.source == "learnt from 1 tree annotated by hand"
    assert found.applied(workspace.source(corpus))[1].deprels == drawn.deprels
    layer.write(0, layer.original(0), layer.get(0)[1], "b", "taking it back")
    gone = chosen_relations(workspace, corpus)
    assert gone.labels is None and "annotated by hand" in gone.problem and gone.key != found.key


def tagged(text, upos, xpos):
    """The text with other tags: ``upos`` and ``xpos`` say how each becomes another one."""
    rows = [line.split("\t") for line in text.splitlines()]
    return "".join(
        "\t".join([*row[:3], upos(row[3]), xpos(row[4]), *row[5:]] if row[1:] else row) + "\n" for row in rows
    )


@pytest.mark.parametrize(
    ("text", "trees", "choice", "message"),
    [
        (PLAIN, PLAIN, "other", "trees.conllu has no whole tree with relations to learn"),
        (tagged(PLAIN, "Q{}".format, lambda _: "_"), TEXT, "rules", "no tag of this text stands for one"),
        (tagged(PLAIN, str, lambda _: "_"), tagged(TEXT, lambda _: "_", str), "other", "not tagged as this text is"),
        (tagged(PLAIN, "Q{}".format, "Q{}".format), TEXT, "other", "tags that training never saw"),
        (PLAIN, TEXT, "corpus-999", "is gone"),
    ],
)  # fmt: skip
def test_what_cannot_be_had_is_said_in_a_sentence_and_not_kept(workspace, add, text, trees, choice, message):
    corpus, other = add("plain.conllu", text), add("trees.conllu", trees)
    with pytest.raises(WorkbenchError, match=message) as caught:
        choose_relations(workspace, corpus, f"corpus-{other.id}" if choice == "other" else choice)
    assert "\n" not in str(caught.value) and chosen_relations(workspace, corpus).choice == "none"


def test_a_parse_and_the_file_of_its_parser_bear_the_relations_that_are_chosen(workspace, corpus):
    systems = Systems(workspace)
    ge, whole = systems["ge"], workspace.treebank(corpus)
    plan = TrainingSettings.of(tags="upos", minimum_count=1)
    run = ended(ge, ge.train(ge.text(corpus, plan), "DET <- NOUN = 0.9\n"))
    (offer,) = offers_of(systems, corpus, run)
    outcome = ge.load(run)
    assert ge.relations(outcome, whole) is None and not has_relations(load_parse(systems, corpus, offer.key))
    assert set(parse_of(systems, corpus, offer.key)[0].deprels) == {"", "root"}  # dep is nobody's proposal
    choose_relations(workspace, corpus, "rules")
    parse = load_parse(systems, corpus, offer.key)
    assert has_relations(parse)
    shown = np.array(parse.deprel.values, object)[parse.deprel.ids]
    assert ge.relations(outcome, whole).tolist() == shown.tolist()
    saved = load_parser(io.BytesIO(outcome.files[0].data()))
    assert saved.parse(whole).deprel.values == parse.deprel.values
    assert (saved.parse(whole).deprel.ids == parse.deprel.ids).all()
    assert file_bytes(load_parser(io.BytesIO(file_bytes(saved)))) == file_bytes(saved)
    assert not len(relations_learnt_from(systems, corpus, offer.key))
    layer = Annotations(workspace, corpus)
    layer.write(0, replace(layer.get(0)[0], deprels=("", "spec", "arg", "root", "mark")), layer.get(0)[1], "a", "")
    layer.set_status(0, "done")
    choose_relations(workspace, corpus, "hand")
    assert relations_learnt_from(systems, corpus, offer.key).tolist() == [0, 1, 2]  # the same words three times
