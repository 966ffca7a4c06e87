"""The Compare page: parses side by side with no control touched, every number opens its words, bad files say why."""

import random
import re

import numpy as np
import pytest

from core.constraints.baselines import attach_left, attach_right
from core.errors import WorkbenchError
from core.evaluation import attachment_scores
from core.treebank import conllu_text, load_sample
from core.trees.packed import PackedScores
from core.workspace import add_corpus
from core.workspace.compare.scoring import denominators, score_rows, score_table
from core.workspace.compare.tables import (
    OWN,
    confusion_table,
    disputed,
    draw_two,
    kind_table,
    opened_rows,
    opened_sentences,
    side_by_side,
    trees_to_draw,
    verdict,
)
from core.workspace.constraints.text import KIND, TextOutcome
from core.workspace.groups import groups
from core.workspace.induction.outcome import spread_heads
from core.workspace.parses import add_parse, offered_parses
from core.workspace.registry import Systems
from tests.evaluation.recut import recut


@pytest.fixture
def compared(workbench, sample):
    """compared(**settings) -> the SideBySide of all parses that there are."""
    return lambda **settings: side_by_side(
        Systems(workbench), sample, offered_parses(Systems(workbench), sample)[:4], **settings
    )


def said(app):
    return " ".join(str(element.value) for element in (*app.markdown, *app.caption))


def test_baselines_are_judged_with_no_control_touched(open_page):
    app = open_page("compare")
    right = attachment_scores(load_sample(), attach_right(load_sample()))
    scores = next(frame.value for frame in app.dataframe if "UAS" in frame.value.columns)
    assert scores["UAS"].iloc[1].endswith(f" · {right.heads:,}")
    assert f"UAS of {right.words:,} words" in said(app)
    assert "LAS" not in scores.columns  # baselines have no relations
    assert "attach right is" in said(app) and "95% interval" in said(app)
    assert "cmp_tree" in [component.key for component in app.get("bidi_component")]


def test_without_own_trees_parses_are_compared_with_each_other(open_page):
    app = open_page("compare", state={"cmp_against": "each"})
    assert "choose different heads for" in said(app)
    assert not any("UAS" in frame.value.columns for frame in app.dataframe)


def test_an_older_link_that_lets_own_trees_not_judge_still_does(open_page):
    app = open_page("compare", cmp_gold="false")
    assert app.session_state["cmp_against"] == "each"
    assert "choose different heads for" in said(app)


def test_parses_are_scored_against_one_of_them(open_page, workbench, sample):
    bare = conllu_text(workbench.treebank(sample).with_heads(np.full(len(workbench.treebank(sample).heads), -1)))
    add_corpus(workbench.store, sample.project, "bare.conllu", bare.encode())
    app = open_page("compare", corpus="bare.conllu", state={"cmp_against": "right", "cmp_punctuation": True})
    assert not app.error
    scores = next(frame.value for frame in app.dataframe if "UAS" in frame.value.columns)
    assert scores["parse"].tolist() == ["attach left"]
    text = load_sample()
    same = int((attach_left(text).heads == attach_right(text).heads)[text.heads >= 0].sum())
    assert scores["UAS"][0].endswith(f" · {same:,}")
    assert "Heads that are those of attach right, by tag there" in said(app)
    app.get_by_key("cmp_table").set_value("confusion").run()
    assert not app.error and "in attach right. Columns: in attach left." in said(app)


def test_what_a_number_says_follows_what_parses_are_scored_against(workbench, sample):
    offers = offered_parses(Systems(workbench), sample)
    found = side_by_side(Systems(workbench), sample, offers, against="right")
    assert (found.reference, found.names, trees_to_draw(found)) == (
        "attach right", ["attach left"], ["attach right", "attach left", OWN],
    )  # fmt: skip
    rows, title = opened_rows(found, ("kind", "tag", "DET", "attach left"))
    assert title == "Words of the tag DET that attach left attaches otherwise than attach right"
    left, right = (attach(workbench.treebank(sample)).heads for attach in (attach_left, attach_right))
    assert (left[rows] != right[rows]).all()
    with pytest.raises(WorkbenchError, match="choose a second parse to score against attach right"):
        side_by_side(Systems(workbench), sample, offers[-1:], against="right")


@pytest.mark.parametrize("table", ["distance", "projectivity", "confusion", "constraint", "bracket"])
def test_every_table_is_drawn(open_page, table):
    app = open_page("compare", state={"cmp_table": table})
    assert not app.error


def test_a_group_is_made_on_the_page_and_judged(open_page, workbench, sample):
    app = open_page("compare", state={"cmp_table": "group"})
    assert "There are no groups yet" in app.info[0].value
    app.text_input(key="cmp_group_name").input("short")
    app.button(key="cmp_group_make").click().run()
    assert not app.exception
    assert [group.name for group in groups(workbench.store, sample)] == ["short"]
    table = next(frame.value for frame in app.dataframe if "of" in frame.value.columns)
    assert table["name"].tolist() == ["short"]
    app.button(key="cmp_group_make").click().run()  # no name
    assert any("Give the group a name" in toast.value for toast in app.toast)
    app.button(key="cmp_group_remove").click().run()
    assert groups(workbench.store, sample) == []


def test_a_number_on_the_page_opens_its_words(open_page):
    what = ("kind", "tag", "DET", "attach right")
    app = open_page("compare", state={"cmp_open": what, "cmp_trees": (None, "attach right")})
    assert "Words of the tag DET that attach right gets wrong" in said(app)
    app.button(key="cmp_close").click().run()
    assert "Words on which the parses disagree" in said(app)


def test_an_uploaded_parse_is_compared_and_has_las(workbench, sample, compared):
    own = workbench.treebank(sample)
    heads = np.where(np.arange(len(own.heads)) % 50 == 7, -1, own.heads)  # every fiftieth word is unattached
    key = add_parse(workbench, sample, "mine.conllu", conllu_text(own.with_heads(heads, own.deprel)).encode())
    assert key in [offer.key for offer in offered_parses(Systems(workbench), sample)]
    found = compared(punctuation=True)
    table = score_table(found)
    right = int(((heads == own.heads) & (own.heads >= 0)).sum())
    assert table["LAS"][table["parse"].index("mine.conllu")].endswith(f" · {right:,}")
    assert f"UAS, LAS of {own.token_count:,} words" in denominators(found)
    assert table["LAS"][table["parse"].index("attach left")] is None
    workbench.store.undo(sample.project)
    assert key not in [offer.key for offer in offered_parses(Systems(workbench), sample)]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"1\tcats\t_\tNOUN\t_\t_\t0\troot\t_\t_\n\n", "332 sentences and the file 1; give the same"),
        (b"1\tcats\t_\tNOUN\t_\t_\t1x\troot\t_\t_\n\n", "line 1"),
        (b"", "empty"),
    ],
)
def test_a_file_that_is_no_parse_of_the_text_says_why_and_is_not_kept(workbench, sample, data, why):
    with pytest.raises(WorkbenchError, match=why):
        add_parse(workbench, sample, "other.conllu", data)
    assert len(workbench.store.corpora(sample.project)) == 1


def test_a_file_that_cuts_the_text_in_its_own_way_is_told_what_scores_it(workbench, sample):
    text = conllu_text(workbench.treebank(sample))
    with pytest.raises(WorkbenchError, match=r"divides this text into other sentences or words.*--rules conll2018"):
        add_parse(workbench, sample, "own cut.conllu", recut(text, random.Random(0)).encode())
    assert len(workbench.store.corpora(sample.project)) == 1


def test_what_a_run_left_is_offered_and_compared_on_its_own_sentences(workbench, ge, sample, compared):
    text = ge.text(sample)
    marginals = PackedScores.empty(text.treebank.lengths)
    marginals.values[:] = 0.5
    outcome = TextOutcome(
        inputs=text,
        plan=text.settings,
        heads=attach_right(text.treebank).heads,
        marginals=marginals,
        weights=np.zeros(3),
    )
    settings = {"corpus": sample.id, **text.settings.as_dict()}
    run = workbench.store.create_run(sample.project, KIND, settings, data_hash=text.hash)
    workbench.store.start_run(run)
    workbench.store.finish_run(run, "done", {"expectations": []}, outcome.to_bytes())
    found = compared()
    assert found.names[0] == f"run {run}, constraints"
    assert (found.sentences, found.of) == (len(text.treebank), len(load_sample()))
    assert found.comparison.pairs[1].differ == 0  # the run's trees are those of attach right
    assert verdict(found.comparison.pairs[1]).endswith("score the same: each alone is right on 0 words.")
    assert verdict(found.comparison.pairs[0]).startswith(f"run {run}, constraints is ")


def test_every_cell_holds_the_words_it_counts(compared):
    found = compared(punctuation=False)
    _, table = kind_table(found, "distance")
    rows, _ = opened_rows(found, ("kind", "distance", "2", "attach left"))
    place = table["kind"].index("2")
    right = table["words"][place] - len(rows)
    assert table["attach left"][place].endswith(f" · {right:,}")
    cells = confusion_table(found.comparison.confusion("attach right", "direction"))
    rows, title = opened_rows(found, ("cell", "direction", None, "attach right", "right", "left"))
    assert len(rows) == cells["left"][cells[" "].index("after its head")]
    assert "after its head in own trees, before its head in attach right" in title
    _, listed = opened_sentences(found, rows)
    assert sum(listed["marked"]) == len(rows)
    assert listed["marked"] == sorted(listed["marked"], reverse=True)
    rows, _ = opened_rows(found, ("kind", "tag", "no such tag", "attach left"))
    assert len(rows) == len(disputed(found))


def test_two_trees_in_one_drawing_mark_the_words(compared):
    found = compared()
    rows = disputed(found)
    indices, table = opened_sentences(found, rows)
    drawing = draw_two(found, OWN, "attach right", int(indices[0]), rows)
    assert len(drawing.spans) == table["marked"][0]
    assert any(arc.disagrees for arc in drawing.arcs)
    assert not any(arc.below for arc in drawing.arcs)
    assert any(arc.below for arc in draw_two(found, OWN, "attach right", int(indices[0]), rows, apart=True).arcs)


def test_a_text_without_trees_compares_parses_with_each_other(open_page, workbench, sample):
    bare = b"1\tcats\t_\tNOUN\t_\t_\t_\t_\t_\t_\n2\tsleep\t_\tVERB\t_\t_\t_\t_\t_\t_\n\n"
    add_corpus(workbench.store, sample.project, "bare.conllu", bare)
    app = open_page("compare", corpus="bare.conllu")
    assert "choose different heads for 2 words" in said(app)
    assert not app.error


def test_trees_over_some_words_keep_their_heads_in_the_whole_text():
    whole = load_sample()
    part = whole.without_punctuation()
    spread = spread_heads(whole, part, part.heads)
    assert (spread[whole.punctuation()] == -1).all()
    kept = np.flatnonzero(spread >= 0)
    same = spread[kept] == whole.heads[kept]
    assert len(kept) == part.token_count
    heads_kept = ~whole.punctuation()[whole.heads[kept] + np.repeat(whole.offsets[:-1], whole.lengths + 1)[kept]]
    assert same[heads_kept].all()  # a word under punctuation goes to another head when that is left out


def test_scores_by_each_rule_count_the_words_they_open(workbench, sample, compared):
    own = workbench.treebank(sample)
    heads = np.where(np.arange(len(own.heads)) % 50 == 7, -1, own.heads)
    add_parse(workbench, sample, "mine.conllu", conllu_text(own.with_heads(heads, own.deprel)).encode())
    found = compared(punctuation=True)
    place = found.names.index("mine.conllu")
    for rules, names in (("words", 4), ("conll2006", 3), ("conll2018", 5)):
        table = score_table(found, rules)
        assert len(table) == names + 1
        wholes = {}
        for names_of, count in re.findall(r"([^·]+) of ([\d,]+) words", denominators(found, rules)):
            wholes |= {name.strip(): count for name in re.split(r", (?!no punct)", names_of)}
        for name in list(table)[1:]:
            part, _, both = table[name][place].partition(" · ")[2].partition(" of ")
            part, whole = (int(number.replace(",", "")) for number in (part, both or wholes[name]))
            rows, title = score_rows(found, rules, "mine.conllu", name)
            assert whole - part in (len(rows), 2 * len(rows)) and name in title
    assert score_rows(found, "words", "no such parse", "UAS") is None


@pytest.mark.parametrize("rules", ["conll2006", "conll2018"])
def test_the_rules_of_a_shared_task_are_on_the_page(open_page, rules):
    app = open_page("compare", state={"cmp_rules": rules, "cmp_open": ("score", rules, "attach right", "UAS")})
    assert not app.error
    assert "Words that attach right gets wrong, UAS by the rules of CoNLL" in said(app)


def test_a_parse_without_heads_at_punctuation_is_not_judged_by_it(workbench, sample, compared):
    own = workbench.treebank(sample)
    heads = np.where(own.punctuation(), -1, own.heads)
    add_parse(workbench, sample, "bare.conllu", conllu_text(own.with_heads(heads, own.deprel)).encode())
    found = compared(punctuation=True)
    table = score_table(found)
    place = table["parse"].index("bare.conllu")
    assert (table["UAS"][place], table["UAS, no punct."][place][:6]) == (None, "100.0%")
    assert not own.punctuation()[found.comparison.scored].any()
