"""A whole text under a parse: every sentence, the long ones too; the same comments; what has no tree is counted."""

from dataclasses import replace

import numpy as np
import pytest

from core.constraints.ge.baselines import attach_right
from core.treebank import read_treebank
from core.workspace import applied
from core.workspace.annotations import Annotations
from core.workspace.compare import parsed_text
from core.workspace.constraints.plan import TrainingSettings
from core.workspace.parses import offered_parses, offers_of
from core.workspace.registry import Systems
from core.workspace.relations import choose_relations
from core.workspace.runs.list import main_figure
from core.workspace.runs.methods import methods_paragraph, run_figures
from tests.filled import filled
from tests.workspace.running import ended

TEXT = """# sent_id = short
# note = kept
1\tthe\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tcat\t_\tNOUN\t_\t_\t3\tnsubj\t_\tSpaceAfter=No
3\tsleeps\t_\tVERB\t_\t_\t0\troot\t_\t_

# sent_id = long
1\ta\t_\tDET\t_\t_\t2\tdet\t_\t_
2\tdog\t_\tNOUN\t_\t_\t3\tnsubj\t_\t_
3\tsees\t_\tVERB\t_\t_\t0\troot\t_\t_
4\tthe\t_\tDET\t_\t_\t5\tdet\t_\t_
5\tcat\t_\tNOUN\t_\t_\t3\tobj\t_\t_
6\t.\t_\tPUNCT\t_\t_\t3\tpunct\t_\t_

# sent_id = last
1\tcats\t_\tNOUN\t_\t_\t2\tnsubj\t_\t_
2\tsleep\t_\tVERB\t_\t_\t0\troot\t_\t_

"""


SHORT = TrainingSettings.of(tags="upos", max_length=3, minimum_count=1)


@pytest.fixture(scope="module")
def systems(module_workspace):
    return Systems(module_workspace)


@pytest.fixture(scope="module")
def ge(systems):
    return systems["ge"]


@pytest.fixture(scope="module")
def corpus(module_add):
    return module_add("cats.conllu", TEXT)


@pytest.fixture(scope="module")
def run(ge, corpus):
    """A run that was trained on the sentences of at most three words."""
    return ended(ge, ge.train(ge.text(corpus, SHORT), "DET <- NOUN = 0.9\nNOUN <- VERB = 0.9\n"))


@pytest.fixture(scope="module")
def whole(systems, corpus):
    return systems.workspace.treebank(corpus)


def test_a_run_gives_her_text_back_with_every_head_filled_in(systems, ge, corpus, run, whole):
    (offer,) = offers_of(systems, corpus, run)
    found = parsed_text.parsed_text(systems, corpus, offer.key)
    assert (found.parsed, found.missing, found.bare) == (3, 0, 0)
    again = read_treebank(found.conllu().encode(), format="conllu")
    assert [sentence.sent_id for sentence in again] == ["short", "long", "last"]
    assert [sentence.forms for sentence in again] == [sentence.forms for sentence in whole]
    words = np.setdiff1d(np.arange(len(again.heads)), again.offsets[:-1])
    assert (again.heads[words] >= 0).all()
    assert {again.deprel[row] for row in words} == {"root", "dep"}
    assert "# note = kept" in found.conllu() and "SpaceAfter=No" in found.conllu()
    text = ge.text(corpus, TrainingSettings.from_dict(run.settings))
    trained = np.repeat(np.isin(whole.picks, text.treebank.picks), whole.lengths + 1)
    assert again.heads[trained].tolist() == ge.outcome(text, run).heads.tolist()
    long = ge.parser(run).parse(whole.select([1]))
    assert again[1].heads.tolist() == long[0].heads.tolist()
    assert parsed_text.file_name(corpus, offer.key) == f"cats run-{run.id}.conllu"


def test_sentences_are_parsed_in_parts_of_bounded_size_as_if_at_once(ge, run, whole, monkeypatch):
    parser, sizes = ge.parser(run), []
    monkeypatch.setattr(applied, "MOST_ARCS", 20)
    monkeypatch.setattr(parser, "parse", lambda part, parse=parser.parse: sizes.append(len(part)) or parse(part))
    found = applied.parse_in_parts(parser, whole)
    assert sum(sizes) == 3 and len(sizes) > 1
    assert found.heads.tolist() == parser.best_heads(whole).values.tolist()


def test_sentences_and_words_without_a_tree_are_counted_and_sentences_left_out(systems, corpus, whole, monkeypatch):
    part = attach_right(whole).select([1, 2])
    last = np.arange(len(part.heads)) == len(part.heads) - 1
    part = part.with_heads(np.where(part.punctuation() | last, -1, part.heads), part.deprel)
    monkeypatch.setattr(parsed_text, "load_bare_parse", lambda *_: part)
    found = parsed_text.parsed_text(systems, corpus, "right")
    assert (found.parsed, found.missing, found.bare) == (2, 1, 2)
    assert len(found.treebank) == 3 and (found.treebank[0].heads == -1).all()
    again = read_treebank(found.conllu().encode(), format="conllu")
    assert [sentence.sent_id for sentence in again] == ["long", "last"]


def test_marks_that_a_parser_did_not_see_hang_on_words(systems, corpus, whole, monkeypatch):
    part = whole.with_heads(np.where(whole.punctuation(), -1, whole.heads), whole.deprel)
    monkeypatch.setattr(parsed_text, "load_bare_parse", lambda *_: part)
    found = parsed_text.parsed_text(systems, corpus, "right")
    again = read_treebank(found.conllu().encode(), format="conllu")
    assert found.bare == 0 and (again.heads == whole.heads).all()
    assert again[1].deprels == whole[1].deprels  # "punct" where there are relations


def test_the_file_of_a_run_keeps_trees_drawn_by_hand_and_says_whose_each_tree_is(systems, ge, corpus, run, whole):
    layer, (offer,) = Annotations(systems.workspace, corpus), offers_of(systems, corpus, run)
    drawn = replace(layer.get(0)[0], heads=(-1, 3, 0, 2), deprels=("", "x", "root", "y"))
    part = replace(layer.get(1)[0], heads=(-1, -1, -1, -1, -1, 2, -1), deprels=("", *[""] * 4, "z", ""))
    tagged = replace(layer.get(2)[0], upos=("", "PROPN", "VERB"))  # no tree of anybody
    for index, each in enumerate((drawn, part, tagged)):
        layer.write(index, each, layer.get(index)[1], f"c{index}", "drawing")
    choose_relations(systems.workspace, corpus, "rules")
    found = parsed_text.parsed_text(systems, corpus, offer.key)
    text = found.conllu()
    one, two, three = read_treebank(text.encode(), format="conllu")
    assert (tuple(one.heads), one.deprels, found.drawn) == (drawn.heads, drawn.deprels, 2)
    assert one.comments == ("# sent_id = short", "# note = kept", "# tree = annotated by hand")
    by = f"# tree = predicted by {offer.name}"
    assert two.comments[1:] == (f"{by}, around heads annotated by hand: 5", "# relations = by rules")
    assert (two.heads[5], two.deprels[5], (two.heads[1:] >= 0).all()) == (2, "z", True)
    assert three.comments[1:] == (by, "# relations = by rules")
    choose_relations(systems.workspace, corpus, "none")
    again = parsed_text.ParsedText(read_treebank(text.encode(), format="conllu"), np.ones(3, bool), "run 9").conllu()
    assert again.count("# tree = predicted by run 9\n") == 3 == again.count("# tree =")  # in place of the former ones
    assert "# relations" not in again
    for index in range(3):
        layer.write(index, layer.original(index), layer.get(index)[1], "back", "taking it back")


def test_every_parse_that_is_offered_is_one_of_the_whole_text(systems, corpus):
    for offer in filled(offered_parses(systems, corpus)):
        assert parsed_text.parsed_text(systems, corpus, offer.key).missing == 0


def test_a_run_on_constraints_says_how_many_heads_are_right(systems, ge, corpus, run):
    text = ge.text(corpus, TrainingSettings.from_dict(run.settings))
    assert run.figures["model"] == ge.score(text, ge.outcome(text, run)).figures
    right, words = run.figures["model"]["right"], run.figures["model"]["words"]
    assert words == 5
    sentences = f"in {run.figures['model']['sentences']} sentences of the file"
    assert main_figure(run) == f"UAS {right / words:.1%} · {right} of {words}, without punctuation, {sentences}"
    assert run_figures(systems, run)["UAS, no punctuation"] == f"{right / words:.1%} ({right} of {words}, {sentences})"
    figures = {name: value for name, value in run.figures.items() if name != "model"}
    old = replace(run, figures=figures)  # made before runs recorded their score: it is worked out
    assert main_figure(old).startswith("objective ")
    assert ge.with_score(old).figures["model"] == run.figures["model"]
    said = run_figures(systems, run)["UAS, no punctuation"]
    assert f"UAS, no punctuation {said}" in methods_paragraph(systems, old)


def test_a_text_without_trees_gives_a_run_no_score(ge, module_add):
    corpus = module_add("bare.txt", "the/DET cat/NOUN sleeps/VERB\n")
    settings = TrainingSettings.of(tags="upos", minimum_count=1)
    run = ended(ge, ge.train(ge.text(corpus, settings), "DET <- NOUN = 0.9\n"))
    assert "model" not in run.figures and ge.with_score(run) == run
    assert main_figure(run).startswith("objective ")


def test_a_sentence_without_tags_has_no_tree(systems, ge, module_add):
    corpus = module_add("some.conllu", TEXT + "1\tuntagged\t_\t_\t_\t_\t_\t_\t_\t_\n\n")
    run = ended(ge, ge.train(ge.text(corpus, SHORT), "DET <- NOUN = 0.9\n"))
    found = parsed_text.parsed_text(systems, corpus, f"run-{run.id}")
    assert (found.parsed, found.missing) == (3, 1)
