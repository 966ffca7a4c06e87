"""The Decomposition page: teaches where nothing was run, plays a run back, says what is proved."""

from dataclasses import replace

import numpy as np
import pytest

from core.treebank import conllu_text, load_sample
from core.workspace import add_corpus
from core.workspace.consensus.system import Consensus
from core.workspace.consensus.votes import effects_within
from core.workspace.decomposition.playback import (
    certificate,
    course,
    disputed,
    duration,
    flips,
    heads_at,
    multiplier_course,
    multiplier_table,
)
from core.workspace.groups import by_sentences, by_words, groups, save_group
from core.workspace.runs import examples
from core.workspace.runs.examples import Examples
from tests.pages.reading import said


@pytest.fixture
def consensus(workbench):
    return Consensus(workbench)


@pytest.fixture
def outcome(consensus, corpus):
    """A quick run on the sample."""
    consensus.save(corpus, "choosing", order=1, epochs=1, tags="upos")
    plan = consensus.plan(corpus)
    texts = consensus.inputs(corpus, plan)
    consensus.workspace.jobs.wait(consensus.start(texts, plan), timeout=120)
    return consensus.latest(texts)


def test_without_a_run_the_page_teaches_and_one_button_makes_one(open_page, consensus, corpus):
    consensus.save(corpus, "choosing", order=1, epochs=1)
    app = open_page("decomposition")
    assert "Two solvers, one answer" in said(app.markdown)
    app.button(key="cs_start").click().run()
    assert not app.exception
    made = consensus.runs(corpus.project)[0]
    assert consensus.workspace.jobs.wait(made.id, timeout=120).status == "done"
    app.run()
    assert not app.exception
    assert "words disagree" in said(app.markdown)


def test_without_a_run_the_page_shows_an_example_that_is_no_run_of_the_project(open_page, workbench, corpus):
    made = Examples()
    made.ask("consensus")
    assert made.wait("consensus", timeout=120).status == "done"
    app = open_page("decomposition", group="none of it")
    assert "Example" in said(app.markdown) and "words disagree" in said(app.markdown)
    app.segmented_control(key="dd_view").set_value("multipliers").run()
    assert not app.exception
    assert not workbench.store.runs(corpus.project)


def test_an_example_asked_for_twice_is_made_once(home):
    made = Examples()
    for _ in range(2):
        made.ask("consensus")
    assert made.wait("consensus", timeout=120).run == 1
    again = Examples()  # of another process
    again.ask("consensus")
    assert again.under_way("consensus") is None and len(again.outcome("consensus").trace)


def test_an_example_nobody_asked_for_waits_until_it_is_quiet(home, monkeypatch):
    monkeypatch.setattr(examples, "LOOK", 0.01)
    jobs, asked = Busy(), []
    made = Examples()
    monkeypatch.setattr(made, "ask", lambda kind: asked.append((kind, jobs.looks)))
    monkeypatch.setattr(examples, "QUIET", 0.0)
    made.prepare(["consensus"], jobs)
    assert asked == [("consensus", Busy.LOOKS)]


class Busy:
    """Jobs of which one is under way for the first looks."""

    LOOKS = 3

    def __init__(self):
        self.looks = 0

    def running(self):
        self.looks += 1
        return [None] * (self.looks < self.LOOKS)


def test_runs_are_those_of_the_open_text_and_other_texts_are_a_click_away(open_page, workbench, corpus, outcome):
    data = conllu_text(load_sample().limit(30)).encode()
    add_corpus(workbench.store, corpus.project, "other.conllu", data)
    app = open_page("decomposition", corpus="other.conllu")
    assert not [box for box in app.selectbox if box.key == "dd_run"]
    app.button(key=f"dd_open_{corpus.id}").click().run()
    assert app.selectbox(key="corpus").value == corpus.id
    label = app.selectbox(key="dd_run").options[0]
    assert "sample" in label and app.selectbox(key="dd_run").value == outcome.run.id
    linked = open_page("decomposition", corpus="other.conllu", dd_run=label)
    assert linked.selectbox(key="corpus").value == corpus.id
    assert linked.selectbox(key="dd_run").value == outcome.run.id


def test_a_time_is_said_as_such_however_short_a_pass_was(open_page, outcome):
    assert duration(0.00042) == "0.4 ms" and duration(0.0123) == "12 ms" and duration(3.21) == "3.2 s"
    app = open_page("decomposition")
    shown = said(app.markdown)
    assert f"parsed again in **{duration(outcome.trace[0].seconds)}** (one pass over the text: " in shown
    assert "%" not in shown[shown.index("words disagree") :]


def test_steps_show_the_numbers_of_their_iteration(open_page, outcome):
    app = open_page("decomposition")
    columns, words = course(outcome), int((outcome.contexts.test_contexts >= 0).sum())
    assert f"**{columns['disagreements'][0]:,}** of {words:,} words disagree" in said(app.markdown)
    app.button(key="dd_step").click().run()
    assert app.slider(key="dd_iteration").value == 2
    assert f"**{columns['disagreements'][1]:,}** of {words:,} words disagree" in said(app.markdown)
    assert f"**{columns['second_blocks'][1]:,}** of 132 sentences parsed again" in said(app.markdown)
    assert f"**{len(flips(outcome, 2)):,}** of {outcome.inputs.test.token_count:,} arcs change" in said(app.markdown)
    app.button(key="dd_back").click().run()
    assert app.slider(key="dd_iteration").value == 1
    app.slider(key="dd_iteration").set_value(len(outcome.trace)).run()
    assert not app.exception
    assert app.button(key="dd_step").disabled


def test_it_plays_by_itself_and_pauses(open_page, outcome):
    app = open_page("decomposition")
    app.button(key="dd_play").click().run()
    assert not app.exception
    app.session_state["dd_ticked"] = 0.0  # as if a while had passed
    app.run()
    assert app.slider(key="dd_iteration").value == 2
    app.button(key="dd_pause").click().run()
    app.session_state["dd_ticked"] = 0.0
    app.run()
    assert app.slider(key="dd_iteration").value == 2
    assert app.button(key="dd_play")


def test_flips_lead_from_the_parsers_trees_to_the_last_ones(outcome):
    heads = outcome.base_heads.copy()
    offsets = outcome.inputs.test.offsets
    for iteration in range(1, len(outcome.trace) + 1):
        arcs = flips(outcome, iteration)
        rows = offsets[arcs.sentences] + arcs.modifiers
        assert np.array_equal(heads[rows], arcs.heads)
        heads[rows] = arcs.others
    words = np.ones(len(heads), dtype=bool)
    words[offsets[:-1]] = False
    assert np.array_equal(heads[words], heads_at(outcome, len(outcome.trace))[words])


def test_multipliers_of_a_context_are_those_of_the_trace(open_page, outcome):
    context = next(iter(disputed(outcome)))
    last = len(outcome.trace)
    lines, table = multiplier_course(outcome, context), multiplier_table(outcome, context, last)
    assert all(len(values) == last for values in lines.values())
    ends = [values[-1] for values in lines.values()]
    assert min(table["push"]) <= min(ends)
    app = open_page("decomposition")
    app.segmented_control(key="dd_view").set_value("multipliers").run()
    assert not app.exception
    assert f"{len(table['word']):,} of {int(outcome.contexts.test_sizes[context]):,} words" in said(app.markdown)


def test_the_proof_is_said_in_words(open_page, outcome):
    verdict, words = certificate(outcome)
    app = open_page("decomposition")
    assert words in said(app.caption)
    everything = np.ones_like(outcome.certified)
    assert certificate(replace(outcome, certified=everything))[0] == "certified"
    verdict, words = certificate(replace(outcome, certified=~everything, released=np.array([3, 5])))
    assert verdict == "uncertified"
    assert "2 of 132 sentences, whose constraints were dropped" in words
    agreed = replace(
        outcome, certified=~everything, released=np.array([], int), pruned_exactly=False, trace=_agreed(outcome)
    )
    assert certificate(agreed)[0] == "unpruned"


def _agreed(outcome):
    from core.decomposition import Trace

    return Trace([*outcome.trace.records[:-1], replace(outcome.trace[-1], disagreements=0)])


def test_curves_keep_the_dual_above_the_primal(outcome):
    columns = course(outcome)
    slack = 1e-6 * abs(columns["best_dual"][0])
    assert all(d >= p - slack for d, p in zip(columns["best_dual"], columns["best_primal"], strict=True))
    assert all(seconds > 0 for seconds in columns["seconds"])


def test_flips_of_a_group_are_listed_and_kept_as_one(open_page, workbench, corpus, outcome):
    place = next(k for k in range(1, len(outcome.trace) + 1) if flips(outcome, k).sentence_count > 1)
    arcs = flips(outcome, place)
    numbers = (outcome.inputs.test.picks[arcs.sentences[:1]] + 1).tolist()
    save_group(workbench, corpus, "one", by_sentences(numbers))
    app = open_page("decomposition", group="one")
    app.session_state["dd_iteration"] = place
    app.run()
    assert not app.exception
    table = next(frame.value for frame in app.dataframe if "after" in frame.value.columns)
    assert set(table["sentence"]) == set(numbers)
    app.text_input(key="dd_group_name").set_value("kept").run()
    app.button(key="dd_group_keep").click().run()
    kept = arcs.within([arcs.sentences[0]])
    words = by_words(outcome.inputs.test, kept.sentences, kept.modifiers)
    assert groups(workbench.store, corpus)[-1].definition == words


def test_what_consistency_changed_in_a_group_is_listed_and_kept_as_one(open_page, workbench, corpus, outcome):
    effect = outcome.effects[0]
    numbers = [int(outcome.inputs.test.picks[effect.changes[0].sentence]) + 1]
    save_group(workbench, corpus, "one", by_sentences(numbers))
    app = open_page("consensus", group="one")
    votes = next(frame.value for frame in app.dataframe if "own" in frame.value.columns)
    assert set(votes["text"]) <= {"text"} and set(votes["sentence"]) <= set(numbers)
    app.segmented_control(key="cs_view").set_value("effects").run()
    within = effects_within(outcome.effects, [effect.changes[0].sentence])
    table = next(frame.value for frame in app.dataframe if "changed" in frame.value.columns)
    assert list(table["changed"]) == [len(each.changes) for each in within]
    assert sum(table["changed"]) < sum(len(each.changes) for each in outcome.effects)
    app.text_input(key="cs_effects_group_name").set_value("kept").run()
    app.button(key="cs_effects_group_keep").click().run()
    words = [change.word for change in within[0].changes]
    expected = by_words(outcome.inputs.test, [change.sentence for change in within[0].changes], words)
    assert groups(workbench.store, corpus)[-1].definition == expected
