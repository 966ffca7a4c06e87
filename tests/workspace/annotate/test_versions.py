"""Twenty sentences checked, and versions compared, on a store of their own."""

import numpy as np
import pytest

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.treebank import conllu_text
from core.workspace.annotate import check
from core.workspace.annotate.check import (
    accuracies,
    accuracy_table,
    checked,
    doubts,
    draw,
    known_sentences,
    population,
    sample_table,
    sample_words,
    shared_basis,
)
from core.workspace.annotate.versions import (
    agreement_table,
    alphas,
    differing_table,
    load_versions,
    offered_versions,
)
from core.workspace.annotations import Annotations
from core.workspace.applied import AvailableParse
from core.workspace.parses import add_parse
from core.workspace.random_sample import drawn
from core.workspace.registry import Systems
from tests.workspace.annotate.conftest import changed


@pytest.fixture
def desk(workspace, sample):
    return workspace, sample


def test_sentences_are_drawn_and_those_done_judge_a_parser(desk):
    workspace, corpus = desk
    layer = Annotations(*desk)
    assert drawn(workspace.store, corpus) is None
    draw(workspace.store, corpus, len(layer.source), size=5, seed=3)
    sample = drawn(workspace.store, corpus)
    assert len(set(sample["sentences"])) == 5
    for index in sample["sentences"][:3]:
        layer.set_status(index, "done")
    assert sample_table(layer, sample)["status"] == ["done"] * 3 + ["new"] * 2
    gold = checked(layer, sample)
    assert list(gold) == sample["sentences"][:3]
    itself = add_parse(workspace, corpus, "itself.conllu", conllu_text(layer.source.to_conllu()).encode())
    rows = accuracies(Systems(workspace), corpus, [AvailableParse(itself, "itself"), AvailableParse("left", "left")])
    heads, both = rows[0].heads.estimate, rows[0].both.estimate
    assert (rows[0].name, heads.share, both.share, heads.sentences, rows[0].problem) == ("itself", 100, 100, 3, "")
    assert heads.low < 60  # three sentences say little
    assert rows[1].both is None and rows[1].heads.words == heads.words
    of = len(layer.source)
    assert shared_basis(rows) == f"without punctuation, in 3 sentences corrected by hand, drawn at random from {of}"
    assert accuracy_table(rows)["UAS"][0].startswith("100.0% (")
    for _ in range(2):
        workspace.store.undo(corpus.project)  # the file, and the last status
    assert len(checked(layer, sample)) == 2
    with pytest.raises(WorkbenchError, match="cannot draw"):
        draw(workspace.store, corpus, 3, size=5)


def test_sentences_are_drawn_that_nobody_has_annotated_while_there_are_enough(desk):
    workspace, corpus = desk
    systems = Systems(workspace)
    systems["ge"].save(corpus, "marking", marked=(3, 4))
    for name, index in (("", 0), ("Ann", 1)):
        changed(Annotations(*desk, name), index, do="detach", word=1)
    known = known_sentences(systems, corpus)
    assert known == {0, 1, 2, 3}
    for count, size, of, drawn_from in ((12, 8, 8, set(range(4, 12))), (12, 9, 12, set(range(12)))):
        draw(workspace.store, corpus, count, size, 1, known)
        sample = drawn(workspace.store, corpus)
        assert len(set(sample["sentences"])) == size and set(sample["sentences"]) <= drawn_from
        assert population(sample, count) == of and ("nobody" in sample_words(sample, count)) == (of < count)
    assert population({"sentences": []}, 12) == 12


def test_the_sentences_a_parser_learnt_from_are_not_scored(desk, monkeypatch):
    workspace, corpus = desk
    layer = Annotations(*desk)
    draw(workspace.store, corpus, 40, size=5, seed=3)
    chosen = drawn(workspace.store, corpus)["sentences"]
    for index in chosen[:4]:
        layer.set_status(index, "done")
    text = conllu_text(layer.source.to_conllu()).encode()
    names = ("some", "all", "none")
    keys = {name: add_parse(workspace, corpus, f"{name}.conllu", text) for name in names}
    learnt = {keys["some"]: [*chosen[:2], 99], keys["all"]: range(332), keys["none"]: []}
    related = {keys["some"]: [], keys["all"]: [], keys["none"]: chosen[3:]}
    monkeypatch.setattr(check, "learnt_from", lambda systems, corpus, key: np.array(learnt[key], np.int64))
    monkeypatch.setattr(check, "relations_learnt_from", lambda systems, corpus, key: np.array(related[key], np.int64))
    rows = accuracies(Systems(workspace), corpus, [AvailableParse(keys[name], name) for name in names])
    some, every, none = rows
    assert some.problem == none.problem == ""
    assert some.heads.estimate.sentences == some.both.estimate.sentences == 2 == some.heads.conditions.learnt
    assert (
        "in 2 sentences corrected by hand, drawn at random from 40, without 2 sentences learnt from"
        in (accuracy_table(rows)["note"][0])
    )
    assert every.heads is None and every.problem == "no score: it was trained on 4 of the 4 sentences; pick others"
    assert (none.heads.estimate.sentences, none.both) == (4, None)
    assert doubts(rows) == ["none: no LAS, since its relations were learnt from 1 of them"]


def test_versions_of_annotators_and_files(desk):
    ann, ben = Annotations(*desk, "Ann"), Annotations(*desk, "Ben")
    changed(ann, 0, do="change", column="deprels", word=1, value="case")
    changed(ben, 0, do="attach", word=1, head=3, relation="det")
    changed(ben, 2, do="change", column="upos", word=1, value="X")
    offers = {offer.name: offer for offer in offered_versions(*desk)}
    assert list(offers)[:4] == ["the project’s trees", "Ann", "Ben", "the file’s own trees"]
    versions = load_versions(*desk, [offers["Ann"], offers["Ben"]])
    table = agreement_table(versions)
    assert table["sentences"] == [1]
    assert table["same head"] == ["92.9% · 13 of 14"]
    assert 0 < alphas(versions)[0] < 1
    indices, rows = differing_table(ann.source, versions["Ann"], versions["Ben"])
    assert indices == [0] and rows["differences"] == [1]
    three = load_versions(*desk, [offers["Ann"], offers["Ben"], offers["the file’s own trees"]])
    assert set(three["the file’s own trees"]) == {0, 2}  # what somebody annotated
    assert len(agreement_table(three)["versions"]) == 3


def test_a_file_is_another_annotators_version(desk):
    workspace, corpus = desk
    words = Annotations(*desk).source
    data = "\n".join(["\n".join(sentence.lines) + "\n" for sentence in words]).encode() + b"\n"
    key = add_parse(workspace, corpus, "hers.conllu", data.replace(b"\tnsubj\t", b"\tdislocated\t"))
    offers = [offer for offer in offered_versions(*desk) if offer.key in ("file", key)]
    versions = load_versions(*desk, offers)
    assert {len(version) for version in versions.values()} == {len(words)}
    assert agreement_table(versions)["same head"][0].startswith("100.0%")
    assert agreement_table(versions)["kappa"][0] < 1
    with pytest.raises(WorkbenchError, match="not a parse of this text"):
        add_parse(workspace, corpus, "short.conllu", data[: data.index(b"\n\n") + 2])


def test_a_layer_keeps_what_the_file_says_elsewhere(desk):
    ann = Annotations(*desk, "Ann")
    changed(ann, 1, do="change", column="deprels", word=1, value="mark")
    assert ann.annotations()[1].heads == SentenceAnnotation.of(ann.source[1]).heads
    assert ann.get(0)[0] == ann.original(0)


def test_a_text_of_another_format_is_taken_away_as_conllu(desk):
    workspace, corpus = desk
    rows = "1 dogs dog dog N N _ _ 2 2 SBJ SBJ _ _\n2 bark bark bark V V _ _ 0 0 ROOT ROOT _ _\n\n"
    data = rows.replace(" ", "\t")
    name = workspace.store.add_corpus(corpus.project, "x.conll09", data.encode(), format="conll2009")
    layer = Annotations(workspace, workspace.store.corpus(name))
    changed(layer, 0, do="change", column="upos", word=1, value="NOUN")
    sentence = layer.treebank()[0]
    assert (sentence.upos[1], sentence.xpos[1], sentence.heads[1]) == ("NOUN", "N", 2)


def test_versions_of_one_name_are_told_apart(desk):
    workspace, corpus = desk
    changed(Annotations(*desk, "Ann"), 0, do="change", column="deprels", word=1, value="case")
    key = add_parse(workspace, corpus, "Ann", Annotations(*desk).treebank().source.data)
    offers = [offer for offer in offered_versions(*desk) if offer.name.startswith("Ann")]
    assert [offer.name for offer in offers] == ["Ann (layer-Ann)", f"Ann ({key})"]
    assert len(load_versions(*desk, offers)) == 2
