"""A text as it stands: composed in steps or at once it is the same; what is corrected counts wherever it is asked."""

import random
from dataclasses import replace

import numpy as np
import pytest

from core.annotation import SentenceAnnotation, annotated
from core.annotation.edits import attach
from core.annotation.graph_edits import change_arc
from core.errors import WorkbenchError
from core.treebank import conllu_text
from core.workspace.annotations import Annotations
from core.workspace.corrections import TREE, TextCorrections
from core.workspace.registry import Systems
from core.workspace.standing import compose
from core.workspace.workspace import Workspace
from tests.filled import filled
from tests.workspace.running import ended

WORDS = (
    "the/DET dog/NOUN barks/VERB",
    "a/DET small/ADJ cat/NOUN sleeps/VERB",
    "it/PRON rains/VERB",
    "dogs/NOUN run/VERB",
)


def written(*sentences, heads=None):
    lines = []
    for at, sentence in enumerate(sentences):
        for number, word in enumerate(sentence.split(), 1):
            form, tag = word.split("/")
            head = "_" if heads is None else heads[at][number - 1]
            relation = "_" if heads is None else ("root" if head == 0 else "dep")
            lines.append(f"{number}\t{form}\t_\t{tag}\t_\t_\t{head}\t{relation}\t_\t_")
        lines.append("")
    return "\n".join(lines) + "\n"


@pytest.fixture
def plain(add):
    """Four sentences with tags and without trees."""
    return add("plain.conllu", written(*WORDS))


def correct(workspace, corpus, index, status="done", layer="", **columns):
    """Write columns of a sentence and say how far it is."""
    version = Annotations(workspace, corpus, layer)
    annotation, was = version.get(index)
    version.write(index, annotation.with_values(columns), was, f"{index} {columns}", "correcting")
    if status != "begun":
        version.set_status(index, status)


def test_what_is_begun_is_shown_and_what_is_done_is_gold(workspace, plain):
    correct(workspace, plain, 0, "begun", heads=[2, 3, 0], deprels=["det", "nsubj", "root"])
    assert workspace.standing(plain).treebank[0].deprels[1:] == ("det", "nsubj", "root")
    assert (workspace.treebank(plain).heads < 0).all() and workspace.statistics(plain).with_heads == 1
    Annotations(workspace, plain).set_status(0, "done")
    settled = workspace.settled(plain)
    assert settled.treebank[0].heads[1:].tolist() == [2, 3, 0] and settled.by_hand.tolist() == [0]
    assert not settled.file_has_trees and settled.corrected.tolist() == [0]
    workspace.store.undo(plain.project)
    assert (workspace.treebank(plain).heads < 0).all()


def test_a_persons_version_is_hers_alone(workspace, plain):
    correct(workspace, plain, 0, heads=[2, 3, 0])
    correct(workspace, plain, 1, layer="Ann", heads=[3, 3, 4, 0])
    hers = workspace.of_version("Ann").standing(plain).treebank
    assert (hers[0].heads < 1).all() and hers[1].heads[1:].tolist() == [3, 3, 4, 0]
    ours = workspace.standing(plain).treebank
    assert ours[0].heads[1:].tolist() == [2, 3, 0] and (ours[1].heads < 0).all()


def test_keys_change_with_what_they_name(workspace, plain):
    def keys():
        return workspace.read_key(plain), workspace.corpus_key(plain), workspace.shown_key(plain)

    none = keys()
    correct(workspace, plain, 0, "begun", heads=[2, 3, 0])
    begun = keys()
    assert begun[:2] == none[:2] and begun[2] != none[2]
    Annotations(workspace, plain).set_status(0, "done")
    done = keys()
    assert done[0] == none[0] and done[1] != none[1] and done[2] == begun[2]
    correct(workspace, plain, 0, upos=["DET", "PROPN", "VERB"])
    assert all(now != before for now, before in zip(keys(), done, strict=True))
    for _ in filled(range(4)):
        workspace.store.undo(plain.project)
    assert keys() == none


@pytest.mark.parametrize("ask", [Workspace.standing, Workspace.settled], ids=["shown", "learnt"])
def test_a_correction_that_comes_while_a_text_is_composed_is_not_kept_under_the_name_of_the_one_before(
    workspace, plain, monkeypatch, ask
):
    correct(workspace, plain, 0, heads=[2, 3, 0])
    first = Workspace.corrections(workspace, plain)
    correct(workspace, plain, 0, heads=[3, 3, 0])
    asked = iter([first])  # read just before the second one was made
    with monkeypatch.context() as patch:
        patch.setattr(
            workspace, "corrections", lambda corpus: next(asked, None) or Workspace.corrections(workspace, corpus)
        )
        early = ask(workspace, plain).treebank[0].heads.tolist()
    assert early == [-1, 2, 3, 0]
    assert ask(workspace, plain).treebank[0].heads.tolist() == [-1, 3, 3, 0]
    workspace.store.undo(plain.project)
    assert ask(workspace, plain).treebank[0].heads.tolist() == [-1, 2, 3, 0]


def test_what_older_runs_saw_is_another_text_and_leaves_the_present_one_alone(workspace, plain):
    correct(workspace, plain, 0, heads=[2, 3, 0], upos=["DET", "PROPN", "VERB"])
    correct(workspace, plain, 1, "begun", heads=[3, 3, 4, 0])
    older = workspace.without_corrected_trees()
    for _ in filled(range(2)):  # whoever asks first
        assert (older.standing(plain).treebank.heads < 0).all() and (older.treebank(plain).heads < 0).all()
        assert older.treebank(plain)[0].upos[2] == "PROPN"
        assert workspace.standing(plain).treebank[1].heads[1:].tolist() == [3, 3, 4, 0]
        assert workspace.treebank(plain)[0].heads[1:].tolist() == [2, 3, 0]
    assert older.read_key(plain) == workspace.read_key(plain) == older.corpus_key(plain)


def test_composed_in_steps_it_is_what_all_at_once_makes_of_it(workspace, plain):
    base, draws = workspace.source(plain), random.Random(1)
    corrections, former, oracle = TextCorrections("7"), None, {}
    for step in range(60):
        index = draws.randrange(len(base))
        original = SentenceAnnotation.of(base[index])
        if draws.random() < 0.3:
            oracle.pop(index, None)
            values = None
        else:
            annotation = oracle.get(index, original)
            annotation = attach(annotation, draws.randint(1, len(original)), 0, "root")
            tags = ("", *(draws.choice(["NOUN", "VERB", "ADJ"]) for _ in original.upos[1:]))
            oracle[index] = replace(annotation, upos=tags)
            values = oracle[index].values(original)
        corrections = corrections.after([(TREE, f"7/{index + 1}", values)])
        former = compose(base, corrections, former)
        assert conllu_text(former.treebank) == conllu_text(annotated(base, oracle)), step
        assert former.corrected.tolist() == sorted(oracle)


def test_graphs_composed_in_steps_are_what_all_at_once_makes_of_them(workspace, plain):
    base, draws = workspace.source(plain), random.Random(2)
    corrections, former, graphs, has_gone = TextCorrections("7"), None, {}, 0
    for _ in filled(range(60)):
        index = draws.randrange(len(base))
        original = SentenceAnnotation.with_graph_of(base[index])
        annotation, action = original.with_values(corrections.values(index)), draws.random()
        if action < 0.3:
            has_gone += bool(graphs.pop(index, None))
            values = None
        elif action < 0.6:
            values = attach(annotation, draws.randint(1, len(original)), 0, "root").values(original)
        else:
            arc = "0", f"a{draws.randrange(10**9)}"
            values = change_arc(annotation, str(draws.randint(1, len(original))), None, arc).values(original)
            graphs[index] = True
        corrections = corrections.after([(TREE, f"7/{index + 1}", values)])
        former = compose(base, corrections, former)
        assert conllu_text(former.treebank) == conllu_text(compose(base, corrections).treebank)
        assert former.treebank.has_graphs == bool(graphs)
    assert has_gone > 2


def test_a_damaged_document_leaves_its_own_sentence_alone(workspace, plain):
    base = workspace.source(plain)
    changes = [
        (TREE, "7/1", {"heads": [2, 1, 0]}),
        (TREE, "7/2", {"heads": [3, 3, 4, 0]}),
        (TREE, "7/3", {"heads": [2, 0, 1]}),
        (TREE, "7/9", {"heads": [0]}),
    ]
    standing = compose(base, TextCorrections("7").after(changes))
    assert standing.misfits == {0, 2} and standing.corrected.tolist() == [1]
    assert standing.treebank[1].heads[1:].tolist() == [3, 3, 4, 0] and (standing.treebank[0].heads < 0).all()


def test_a_gold_text_is_scored_by_its_corrections_once_they_are_done(workspace, add):
    heads = [[2, 3, 0], [3, 3, 4, 0], [2, 0], [2, 0]]
    corpus = add("gold.conllu", written(*WORDS, heads=heads))
    correct(workspace, corpus, 0, "begun", heads=[3, 3, 0])
    assert workspace.treebank(corpus)[0].heads[1:].tolist() == [2, 3, 0]
    assert workspace.standing(corpus).treebank[0].heads[1:].tolist() == [3, 3, 0]
    Annotations(workspace, corpus).set_status(0, "done")
    assert workspace.treebank(corpus)[0].heads[1:].tolist() == [3, 3, 0] and workspace.settled(corpus).file_has_trees


def test_a_run_stays_on_screen_whatever_is_corrected_and_opens_on_what_it_saw(workspace, ge, plain):
    run = ended(ge, ge.train(ge.text(plain), "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"))
    correct(workspace, plain, 0, heads=[2, 3, 0], upos=["DET", "PROPN", "VERB"])
    text = ge.text(plain)
    assert ge.newest(text).id == run.id and ge.latest(text).run.id == run.id
    assert text.treebank[0].upos[2] == "PROPN" and ge.known(text).sentences == 1
    then = ge.inputs_of(run)[0].treebank[0]
    assert then.upos[2] == "NOUN" and (then.heads < 0).all()
    resumed, _ = Systems(workspace)["ge"].inputs_of(run)
    assert resumed.hash == run.data_hash


def test_a_correction_that_a_text_has_not_is_refused_by_name(workspace, plain):
    with pytest.raises(WorkbenchError, match="there is no sentence 9"):
        Annotations(workspace, plain).key(8)
    assert np.array_equal(workspace.standing(plain).treebank.heads, workspace.source(plain).heads)
