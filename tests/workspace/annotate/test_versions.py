"""Twenty sentences checked, and versions compared, on a store of their own."""

import pytest

from core.annotation import SentenceAnnotation
from core.errors import WorkbenchError
from core.workspace.annotate.check import (
    accuracies,
    accuracy_table,
    checked,
    draw,
    drawn,
    known_sentences,
    population,
    sample_table,
    sample_words,
)
from core.workspace.annotate.versions import (
    agreement_table,
    alphas,
    differing_table,
    load_versions,
    offered_versions,
)
from core.workspace.annotations import Annotations
from core.workspace.parses import add_parse
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
    rows = accuracies(gold, {"itself": layer.original, "none": lambda index: None}, len(layer.source))
    name, heads, both, problem = rows[0]
    assert (name, heads.share, both.share, heads.sentences, problem) == ("itself", 100, 100, 3, "")
    assert heads.low < 60  # three sentences say little
    assert "no tree for some of the sentences" in rows[1][3]
    assert accuracy_table(rows)["UAS"][0].startswith("100.0% (")
    workspace.store.undo(corpus.project)  # the last status
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


def test_the_sentences_a_parser_learnt_from_are_not_scored(desk):
    layer = Annotations(*desk)
    gold = {index: layer.original(index) for index in range(4)}
    parsers = {name: layer.original for name in ("some", "all", "none")}
    some, every, none = accuracies(gold, parsers, 40, {"some": [0, 1, 9], "all": range(9)}, {"none": [3]})
    assert (some[1].sentences, some[3]) == (2, "on 2 of the 4 sentences: it was trained on the others")
    assert every[1] is None and every[3] == "no score: it was trained on 4 of the 4 sentences; pick others"
    assert (none[1].sentences, none[2], none[3]) == (4, None, "no LAS: its relations were trained on 1 of them")
    assert some[2].sentences == 2


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
