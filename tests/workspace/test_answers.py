"""Answers are kept as parses of a text, and count beside the universal parser once sentences are checked."""

import re

import numpy as np
import pytest

from core.errors import WorkbenchError
from core.proposals.adopting import HEAD
from core.treebank import conllu_text, load_sample
from core.workspace import Workspace
from core.workspace.annotations import Annotations
from core.workspace.answers import (
    change_table,
    keep_answer,
    prompt_of,
    prompt_sentences,
    read_adopted,
    summary,
)
from core.workspace.compare.weights import weight_notes
from core.workspace.parses import WEIGHED, available_trees, learnt_from, load_parse
from core.workspace.registry import Systems
from tests.filled import filled

TREES = load_sample().limit(12).to_conllu()
ANSWER = "Here you are:\n```\n" + conllu_text(TREES).replace("\t", " ") + "```\n"


@pytest.fixture
def text(add):
    """The Corpus of twelve sentences without trees."""
    bare = TREES.with_heads(np.full(len(TREES.heads), -1), np.full(len(TREES.heads), "").tolist())
    return add("bare.conllu", conllu_text(bare))


def check(workspace, text, count):
    """Draw the trees of the first sentences by hand, and mark them done."""
    layer = Annotations(workspace, text)
    for index in range(count):
        sentence = TREES[index]
        now, was = layer.get(index)
        layer.write(index, now.under(sentence.heads.tolist(), sentence.deprels), was, f"draw-{index}", "drawing")
        layer.set_status(index, "done")


def keys(systems, text):
    return [offer.key for offer in available_trees(systems, text)]


def test_an_answer_becomes_a_parse_that_undo_takes_away(workspace: Workspace, text):
    systems = Systems(workspace)
    adopted = read_adopted(systems, text, ANSWER)
    assert summary(adopted) == "12 sentences, 12 used, 0 changes"
    key = keep_answer(workspace, text, "  theirs ", adopted)
    assert key in keys(systems, text)
    assert np.array_equal(load_parse(systems, text, key).heads, TREES.heads)
    workspace.store.undo(text.project)
    assert key not in keys(systems, text)


def test_sentences_that_an_answer_lacks_are_not_in_the_parse(workspace, text):
    systems = Systems(workspace)
    some = conllu_text(TREES.limit(5))
    key = keep_answer(workspace, text, "five", read_adopted(systems, text, some))
    parse = load_parse(systems, text, key)
    assert parse.picks.tolist() == list(range(5))
    assert np.array_equal(parse.heads, TREES.limit(5).heads)


def test_changes_are_listed_by_kind(workspace, text):
    first = TREES[0]
    rows = [f"{k} {first.forms[k]} {first.heads[k]} {first.deprels[k].upper()}" for k in range(1, len(first) + 1)]
    rows[1] = rows[1].replace(f" {first.heads[2]} ", " 2 ")  # its own head
    adopted = read_adopted(Systems(workspace), text, "\n".join(rows))
    assert summary(adopted) == f"1 sentence, 1 used, {len(first) + 1} changes"
    table = change_table(adopted, HEAD)
    assert (table["sentence"], table["word"]) == ([1], [2])
    assert table["reason"] == ["the word was its own head"]
    assert len(change_table(adopted)["kind"]) == len(first) + 1


def test_without_a_name_nothing_is_kept(workspace, text):
    with pytest.raises(WorkbenchError, match="a parse needs a name; type one"):
        keep_answer(workspace, text, " ", read_adopted(Systems(workspace), text, ANSWER))


def test_kept_answers_count_beside_the_universal_parser_by_checked_sentences(workspace, text):
    systems = Systems(workspace)
    keep_answer(workspace, text, "theirs", read_adopted(systems, text, ANSWER))
    assert WEIGHED.key not in keys(systems, text)
    with pytest.raises(WorkbenchError, match="needs an added parse and a tree that is corrected and marked done"):
        load_parse(systems, text, WEIGHED.key)
    check(workspace, text, 6)
    assert WEIGHED.key in keys(systems, text)
    assert learnt_from(systems, text, WEIGHED.key).tolist() == list(range(6))
    words = TREES.is_word & ~TREES.punctuation() & (TREES.sentence_rows >= 6)
    right = {
        key: (load_parse(systems, text, key).heads == TREES.heads)[words].mean() for key in ("universal", "weighed")
    }
    assert right["weighed"] > max(right["universal"], 0.95)


def test_how_much_an_added_parse_counts_is_said_with_its_conditions(workspace, text):
    systems = Systems(workspace)
    wrong = TREES.with_heads(np.where(TREES.is_word, TREES.numbers - 1, TREES.heads), TREES.deprel)
    answers = {"theirs": TREES, "wrong": wrong, "later": TREES.select(np.arange(6, 12))}
    parses = {name: read_adopted(systems, text, conllu_text(trees)) for name, trees in answers.items()}
    for name in filled(parses):
        keep_answer(workspace, text, name, parses[name])
    check(workspace, text, 6)
    notes = {note.partition(":")[0]: note for note in weight_notes(systems, text)}
    theirs, of_wrong, later = (notes[name] for name in answers)
    words, gold = TREES.is_word & ~TREES.punctuation() & (TREES.sentence_rows < 6), TREES.heads
    count, right = int(words.sum()), int((parses["wrong"].treebank.heads == gold)[words].sum())
    conditions = "without punctuation, in 6 sentences corrected by hand) of its heads are right."
    assert re.match(
        r"theirs: weight \d\.\d for heads, \d\.\d for relations\. Learnt from checked sentences, where 100\.0% ", theirs
    )
    assert theirs.endswith(f"({count} of {count}, {conditions}")
    assert of_wrong.endswith(f"({right} of {count}, {conditions}") and right < count
    assert later == "later: weight 0, since it has no tree of a checked sentence."


def test_a_prompt_asks_for_checked_sentences_too_and_shows_others(workspace, text):
    assert prompt_sentences(workspace, text) == list(range(10))
    assert "example 3" in prompt_of(workspace, text, [0])  # of the sample: the text has no trees yet
    check(workspace, text, 5)
    asked = prompt_sentences(workspace, text)
    assert asked[2:] == list(range(5, 12))
    examples = set(range(5)) - {*asked[:2]}
    written = prompt_of(workspace, text, asked)
    head, _, tail = written.partition("Sentences to draw")
    assert all(TREES[index].text in head for index in filled(examples))
    assert all(TREES[index].text in tail for index in filled(asked))
    assert "in English" in head
