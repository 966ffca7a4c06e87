"""The Decomposition page: teaches where nothing was run, plays a run back, says what is proved."""

from dataclasses import replace

import numpy as np
import pytest

from core.decomposition import Trace
from core.treebank import load_sample
from core.workspace.consensus.system import Consensus
from core.workspace.consensus.votes import effects_within
from core.workspace.decomposition import playback
from core.workspace.groups import by_sentences, by_words, groups, save_group
from core.workspace.runs import examples
from core.workspace.runs.examples import Examples
from pages.shared.examples import examples as examples_of_pages
from tests.advising import finished
from tests.pages.conftest import add_to
from tests.pages.reading import keep_group, keys, pressed, said, shown, table, waited

QUICK = {"order": 1, "epochs": 1, "tags": "upos"}


def prepared(workspace):
    """A quick run on the sample; and another text."""
    consensus, corpus = Consensus(workspace), workspace.store.corpora(workspace.store.default_project())[0]
    consensus.save(corpus, "choosing", **QUICK)
    plan = consensus.plan(corpus)
    finished(workspace, consensus.start(consensus.inputs(corpus, plan), plan))
    consensus.save(add_to(workspace, "other.conllu", load_sample().limit(30)), "choosing", **QUICK)


@pytest.fixture
def consensus(workbench):
    return Consensus(workbench)


@pytest.fixture
def outcome(consensus, corpus):
    return consensus.latest(consensus.inputs(corpus, consensus.plan(corpus)))


@pytest.fixture
def app(open_page):
    return open_page("decomposition", corpus="sample")


def test_without_a_run_the_page_teaches_and_one_button_makes_one(open_page, workbench):
    app = open_page("decomposition", corpus="other.conllu")
    assert "Two solvers, one answer" in said(app.markdown)
    waited(pressed(app, "cs_start"), workbench, Consensus.kind)
    assert "words disagree" in said(app.markdown)


@pytest.mark.usefixtures("examples_made")
def test_without_a_run_the_page_shows_an_example_that_is_no_run_of_the_project(open_page, workbench, project):
    runs = workbench.store.runs(project)
    app = open_page("decomposition", corpus="other.conllu", group="none of it").run()  # which asks for it twice
    examples_of_pages().wait("consensus", timeout=120)
    assert examples_of_pages().outcome("consensus").run.id == 1
    again = Examples()  # of another process
    again.ask("consensus")
    assert again.under_way("consensus") is None and len(again.outcome("consensus").trace)
    app.run()
    assert "Example" in said(app.markdown) and "words disagree" in said(app.markdown)
    shown(app, dd_view="multipliers")
    assert workbench.store.runs(project) == runs


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

    LOOKS, looks = 3, 0

    def running(self):
        self.looks += 1
        return [None] * (self.looks < self.LOOKS)


def test_runs_are_those_of_the_open_text_and_other_texts_are_a_click_away(open_page, corpus, outcome):
    app = open_page("decomposition", corpus="other.conllu")
    assert "dd_run" not in keys(app.selectbox)
    pressed(app, f"dd_open_{corpus.id}")
    label = app.selectbox(key="dd_run").options[0]
    assert "sample" in label
    linked = open_page("decomposition", corpus="other.conllu", dd_run=label)
    for each in (app, linked):
        assert each.selectbox(key="corpus").value == corpus.id
        assert each.selectbox(key="dd_run").value == outcome.run.id


def test_bounds_are_drawn_around_the_best_so_that_the_last_iterations_show():
    columns = {"dual": [110.0, 100.5, 100.0], "primal": [-np.inf, 99.0, 100.0]}
    columns |= {"best_dual": columns["dual"], "best_primal": columns["primal"]}
    axis = playback.around_best(columns)
    dual = axis.values["dual"]
    assert dual[0] == pytest.approx(3, abs=0.01) and dual[1] == pytest.approx(1.7, abs=0.01) and dual[2] == 0
    assert axis.values["primal"][0] is None and axis.values["primal"][1] == pytest.approx(-2, abs=0.01)
    assert axis.labels[len(axis.labels) // 2] == "best" and "+10" in axis.labels and "-0.1" in axis.labels
    still = playback.around_best({name: [5.0] for name in columns})
    assert still.values["dual"] == [0.0] and "best" in still.labels


def test_steps_show_the_numbers_of_their_iteration(app, outcome):
    columns, words = playback.course(outcome), int((outcome.contexts.test_contexts >= 0).sum())
    words_now = said(app.markdown)
    assert f"**{columns['disagreements'][0]:,}** of {words:,} words disagree" in words_now
    assert [playback.duration(seconds) for seconds in (0.00042, 0.0123, 3.21)] == ["0.4 ms", "12 ms", "3.2 s"]
    assert f"parsed again in **{playback.duration(outcome.trace[0].seconds)}** (one pass over the text: " in words_now
    assert "%" not in words_now[words_now.index("words disagree") :]
    numbers = next(each for each in app.markdown if "words disagree" in each.value)
    assert outcome.plan.settings.decay == "decision" and "times it swung back" in numbers.help
    question = playback.next_question(columns, 1)
    guess = app.pills(key=f"dd_guess_{outcome.run.id}_1")
    assert guess.label == question.text and f"{columns['dual'][0]:.4f}" in guess.label
    rose = columns["dual"][1] > columns["dual"][0]
    assert question.answer == ("It rises" if rose else "It falls")
    guess.set_value(question.answer).run()
    assert f"Correct: {question.answer}" in said(app.success)
    assert playback.next_question(columns, len(outcome.trace)) is None
    pressed(app, "dd_step")
    assert app.slider(key="dd_iteration").value == 2
    assert f"**{columns['disagreements'][1]:,}** of {words:,} words disagree" in said(app.markdown)
    assert f"**{columns['second_blocks'][1]:,}** of 132 sentences parsed again" in said(app.markdown)
    flipped = f"**{len(playback.flips(outcome, 2)):,}** of {outcome.inputs.test.token_count:,} arcs change"
    assert flipped in said(app.markdown)
    assert pressed(app, "dd_back").slider(key="dd_iteration").value == 1
    assert app.slider(key="dd_iteration").set_value(len(outcome.trace)).run().button(key="dd_step").disabled


def test_it_plays_by_itself_also_in_a_browser_that_lags_and_pauses(app):
    def after(ticked, slider="dd_slider"):
        app.session_state["dd_ticked"] = ticked
        return app.run().slider(key=slider).value

    pressed(app, "dd_play")
    place = after(float("inf"))  # nothing moves
    assert after(0.0) == place + 1  # as if a while had passed
    app.session_state["dd_slider"] = place  # what a browser that lags sends back
    assert after(float("inf")) == place + 1
    pressed(app, "dd_pause")
    assert after(0.0, "dd_iteration") == place + 1 and app.button(key="dd_play")


def test_flips_lead_from_the_parsers_trees_to_the_last_ones(outcome):
    heads, offsets = outcome.base.heads.copy(), outcome.inputs.test.offsets
    for iteration in range(1, len(outcome.trace) + 1):
        arcs = playback.flips(outcome, iteration)
        rows = offsets[arcs.sentences] + arcs.modifiers
        assert np.array_equal(heads[rows], arcs.heads)
        heads[rows] = arcs.others
    words = np.ones(len(heads), dtype=bool)
    words[offsets[:-1]] = False
    assert np.array_equal(heads[words], outcome.values_at(len(outcome.trace))[words])


def test_multipliers_of_a_context_are_those_of_the_trace(app, outcome):
    context, last = next(iter(playback.disputed(outcome))), len(outcome.trace)
    lines, found = playback.multiplier_course(outcome, context), playback.multiplier_table(outcome, context, last)
    assert all(len(values) == last for values in lines.values())
    assert min(found["push"]) <= min(values[-1] for values in lines.values())
    words = f"{len(found['word']):,} of {int(outcome.contexts.test_sizes[context]):,} words"
    assert words in said(shown(app, dd_view="multipliers").markdown)


def test_the_proof_is_said_in_words_and_the_dual_stays_above_the_primal(app, outcome):
    assert playback.certificate(outcome)[1] in said(app.caption)
    everything, trace = np.ones_like(outcome.certified), outcome.trace
    assert playback.certificate(replace(outcome, certified=everything))[0] == "certified"
    verdict, words = playback.certificate(replace(outcome, certified=~everything, released=np.array([3, 5])))
    assert verdict == "uncertified" and "2 of 132 sentences, whose constraints were dropped" in words
    agreed = Trace([*trace.records[:-1], replace(trace[-1], disagreements=0)])
    nothing = {"released": np.array([], int), "pruned_exactly": False, "trace": agreed}
    assert playback.certificate(replace(outcome, certified=~everything, **nothing))[0] == "unpruned"
    columns = playback.course(outcome)
    slack = 1e-6 * abs(columns["best_dual"][0])
    assert all(d >= p - slack for d, p in zip(columns["best_dual"], columns["best_primal"], strict=True))
    assert all(seconds > 0 for seconds in columns["seconds"])


def test_flips_of_a_group_are_listed_and_kept_as_one(open_page, workbench, corpus, outcome):
    place = next(k for k in range(1, len(outcome.trace) + 1) if playback.flips(outcome, k).sentence_count > 1)
    arcs, test = playback.flips(outcome, place), outcome.inputs.test
    numbers = (test.picks[arcs.sentences[:1]] + 1).tolist()
    save_group(workbench, corpus, "one", by_sentences(numbers))
    app = open_page("decomposition", corpus="sample", group="one")
    app.session_state["dd_iteration"] = place
    assert set(table(app.run(), "after")["sentence"]) == set(numbers)
    keep_group(app, "dd_group")
    kept = arcs.within([arcs.sentences[0]])
    assert groups(workbench.store, corpus)[-1].definition == by_words(test, kept.sentences, kept.modifiers)


def test_what_consistency_changed_in_a_group_is_listed_and_kept_as_one(open_page, workbench, corpus, outcome):
    effect, test = outcome.effects[0], outcome.inputs.test
    numbers = [int(test.picks[effect.changes[0].sentence]) + 1]
    save_group(workbench, corpus, "one", by_sentences(numbers))
    app = open_page("consensus", corpus="sample", group="one")
    votes = table(app, "own")
    assert set(votes["text"]) <= {"text"} and set(votes["sentence"]) <= set(numbers)
    shown(app, cs_view="effects")
    within = effects_within(outcome.effects, [effect.changes[0].sentence])
    changed = list(table(app, "changed")["changed"])
    assert changed == [len(each.changes) for each in within]
    assert sum(changed) < sum(len(each.changes) for each in outcome.effects)
    keep_group(app, "cs_effects_group")
    changes = within[0].changes
    expected = by_words(test, [change.sentence for change in changes], [change.word for change in changes])
    assert groups(workbench.store, corpus)[-1].definition == expected
