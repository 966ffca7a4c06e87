"""Adaptation as a job: what a run leaves, how a stopped one goes on, bad input in one sentence."""

import csv
import io

import numpy as np
import pytest

from core.adaptation.systems import FEW, NONE, SCL, SELF_TRAINING
from core.errors import Cancelled, WorkbenchError
from core.evaluation import attachment_scores
from core.parsers import load_parser
from core.treebank import conllu_text, load_sample
from core.workspace.adaptation import tables
from core.workspace.adaptation.plan import OWN, AdaptationPlan
from core.workspace.adaptation.run import adaptation_work, live_scores
from core.workspace.adaptation.system import Adaptation
from core.workspace.parses import load_parse, offered_parses
from core.workspace.registry import Systems
from core.workspace.runs.list import corpus_name, run_table
from core.workspace.system import unpacked

QUICK = {"epochs": 2, "few": 3, "edges": 2000, "scale": 3.0, "unlabelled": OWN}


def text_of(treebank):
    return conllu_text(treebank.to_conllu())


@pytest.fixture
def system(workspace):
    return Adaptation(workspace)


@pytest.fixture
def source(add):
    return add("source.conllu", text_of(load_sample().limit(40)))


@pytest.fixture
def target(add):
    return add("target.conllu", text_of(load_sample("questions").limit(12)))


def run(system, corpus, **changes):
    """Adapt; returns the AdaptationOutcome."""
    system.save(corpus, "choosing", **(QUICK | changes))
    plan = system.plan(corpus)
    number = system.start(system.inputs(corpus, plan), plan)
    snapshot = system.workspace.jobs.wait(number, timeout=120)
    assert snapshot.status == "done", snapshot.error
    return system.load(system.store.run(number))


def test_a_run_leaves_scores_trees_findings_and_files(system, source, target, workspace, tmp_path):
    outcome = run(system, source, target=target.id)
    assert list(outcome.scores) == [NONE, SELF_TRAINING, FEW, SCL]
    texts = outcome.inputs
    assert (len(texts.source), len(texts.held), len(texts.few), len(texts.test)) == (36, 4, 3, 9)
    for name in list(outcome.scores):
        scores = attachment_scores(texts.test, outcome.parsed[name])
        assert outcome.scores[name]["target"][-1] == scores and len(outcome.scores[name]["source"]) == 2
    table = tables.score_table(outcome, "target")
    last = outcome.scores[SCL]["target"][-1]
    assert table["LAS"][-1] == f"{last.both / last.words:.1%} · {last.both:,} of {last.words:,}"
    assert f"({last.both:,} of {last.words:,} words)" in tables.verdict(outcome)
    before, after = (outcome.parsed[name] for name in (NONE, SCL))
    edges, rows = tables.changed(outcome)
    assert len(edges) == sum(tables.verdict_counts(outcome).values()) > 0
    moved = [edge for edge in edges if edge["head_before"] != edge["head_after"]]
    assert len(moved) == (before.heads != after.heads).sum() == sum(share is not None for share in rows["share"])
    for edge in moved:
        assert edge["margin"] == pytest.approx(edge["score"] - edge["old_score"])
        assert edge["induced_margin"] == pytest.approx(edge["induced"] - edge["old_induced"])
        tables.changed_drawing(outcome, edge["sentence"])
    files = {file.name.removeprefix(f"adapted-{outcome.run.id}"): file.data() for file in outcome.files}
    path = tmp_path / "adapted.npz"
    path.write_bytes(files[".npz"])
    assert np.array_equal(load_parser(path).parse(texts.test).heads, after.heads)
    assert files[".conllu"] == conllu_text(after.to_conllu())
    written = list(csv.DictReader(io.StringIO(files["-scores.csv"])))
    told = [row for row in written if (row["text"], row["system"], row["iteration"]) == ("source", SCL, "2")]
    assert len(written) == 4 * 2 * 2
    assert [int(row["heads right"]) for row in told] == [outcome.scores[SCL]["source"][-1].heads]
    assert len(files["-pivots.csv"].splitlines()) > 20
    assert len(files["-changed.csv"].splitlines()) == len(edges) + 1
    assert tables.courses(live_scores(workspace.jobs.trace(outcome.run.id)), "target", "LAS") == tables.courses(
        outcome.scores, "target", "LAS"
    )
    assert run_table(system.store, [outcome.run])["text"] == ["source.conllu → target.conllu"]
    values, arrays = unpacked(system.store.result_bytes(outcome.run.id), "adaptation-result")  # as always stored
    assert set(values) == {"findings", "systems"}
    trees = {f"{name}_{part}" for name in outcome.scores for part in ("heads", "relations", "values")}
    assert set(arrays) == trees | {"parser"}


def test_pivots_and_directions_show_what_they_respond_to(system, source, target):
    outcome = run(system, source, target=target.id, rounds=0, few=0, between=4, dimensions=2)
    assert list(outcome.scores) == [NONE, SCL] and len(outcome.findings["pivots"]) == 7
    pivots = tables.pivot_table(outcome.findings)
    assert pivots["pivot"][0] == "preposition" and " of " in pivots["source"][0]
    assert [each["number"] for each in outcome.findings["directions"]] == [1, 2]
    projection = load_parser(io.BytesIO(outcome.parser)).projection
    for side, sign in (("highest", 1), ("lowest", -1)):
        edges, table = tables.examples(outcome, 1, side)
        values = [sign * value for value in table["value"]]
        assert values == sorted(values, reverse=True) and {text for text, _ in edges} == {"source", "target"}
        for text, edge in edges:
            bank = outcome.inputs.source if text == "source" else outcome.parsed[SCL]
            assert bank[edge["sentence"]].heads[edge["modifier"]] == edge["head"]
            one = bank.select(np.array([edge["sentence"]]))
            place = edge["head"] * (len(one[0]) + 1) + edge["modifier"]
            assert projection.values(one)[place, 1] == pytest.approx(edge["value"], abs=1e-4)
            tables.example_drawing(outcome, text, edge)


def test_the_questions_become_a_text_of_the_project(system, source, workspace):
    assert system.targets(source)[OWN] == "sample: questions"
    before = {each.id for each in workspace.store.corpora(source.project)}
    outcome = run(system, source, target=OWN, rounds=0)
    made = [each for each in workspace.store.corpora(source.project) if each.id not in before]
    assert [each.name for each in made] == ["sample: questions"] == [outcome.inputs.target_name]
    assert system.plan(source).target == made[0].id and OWN not in system.targets(source)
    assert system.inputs(source, system.plan(source)).hash == outcome.run.data_hash
    assert corpus_name(system.store, outcome.run) == "source.conllu → sample: questions"


def test_a_stopped_run_goes_on_with_the_next_system(system, source, target):
    system.save(source, "choosing", **QUICK, target=target.id)
    plan = system.plan(source)
    texts = system.inputs(source, plan)

    class Stopping:  # asks to stop once two systems are trained
        resumed, run, iteration, kept, systems = None, 0, 0, None, ()

        def report(self, iteration, fraction=None, figures=None, message=""):
            assert fraction is None or 0 <= fraction <= 1
            self.iteration = iteration

        def checkpoint(self, data):
            self.kept, self.systems = data(), (*self.systems, self.iteration)

        def cancelled(self):
            return len(self.systems) == 2

    job = Stopping()
    with pytest.raises(Cancelled):
        adaptation_work(texts, plan)(job)
    again = Stopping()
    again.resumed, again.iteration, again.systems = job.kept, 4, (0, 0, 0)
    figures, result = adaptation_work(texts, plan)(again)
    assert again.iteration == 8 and result  # two systems of two iterations each were left
    whole = run(system, source, target=target.id).run.figures
    for name in ("scores", "tests", "model", "base"):
        assert figures[name] == whole[name]


def test_runs_can_be_compared_on_the_target(system, source, target, workspace):
    outcome = run(system, source, target=target.id, rounds=0)
    keys = [offer.key for offer in offered_parses(Systems(workspace), target)]
    number = outcome.run.id
    assert keys[:2] == [f"run-{number}", f"run-{number}-none"]
    assert not any(offer.key.startswith("run-") for offer in offered_parses(Systems(workspace), source))
    for key, name in zip(keys, (SCL, NONE), strict=False):
        bank = load_parse(Systems(workspace), target, key)
        assert np.array_equal(bank.heads, outcome.parsed[name].heads) and bank.picks[0] == 3


def bare(treebank, tags=True):
    """CoNLL-U without trees, perhaps without tags."""
    lines = []
    for sentence in treebank:
        words = zip(sentence.forms[1:], sentence.upos[1:], strict=True)
        lines += [f"{n}\t{form}\t_\t{tag if tags else '_'}\t_\t_\t_\t_\t_\t_" for n, (form, tag) in enumerate(words, 1)]
        lines.append("")
    return "\n".join(lines) + "\n"


def test_a_target_without_trees_is_parsed_and_not_scored(system, source, add):
    text = add("new.conllu", bare(load_sample("questions").limit(6)))
    outcome = run(system, source, target=text.id, rounds=0)
    assert outcome.inputs.few is None and "has no trees, so there are no scores" in tables.verdict(outcome)
    assert set(tables.score_table(outcome, "target")["LAS"]) == {None}
    assert not tables.courses(outcome.scores, "target", "LAS") and tables.courses(outcome.scores, "source", "LAS")
    assert set(tables.verdict_counts(outcome)) <= {"unknown", "relation"}


def test_unlabelled_text_without_tags_leaves_self_training_out(system, source, target, add):
    words = add("words.conllu", bare(load_sample("questions").limit(8), tags=False))
    outcome = run(system, source, target=target.id, unlabelled=words.id, few=0)
    assert SELF_TRAINING not in list(outcome.scores)
    assert any("self-training is left out" in note for note in outcome.run.figures["notes"])
    assert {each["by"] for each in outcome.findings["pivots"]} == {"form"}
    with pytest.raises(WorkbenchError, match=r"words.conllu has no tags; tag the text first, on the Corpus page"):
        system.inputs(source, AdaptationPlan(target=words.id))


def test_what_cannot_be_done_is_one_sentence(system, source, target, add):
    with pytest.raises(WorkbenchError, match=r"source\.conllu is source and target"):
        system.inputs(source, AdaptationPlan(target=source.id))
    trees = add("bare.conllu", bare(load_sample().limit(4)))
    with pytest.raises(WorkbenchError, match=r"bare\.conllu has no trees to learn from"):
        system.inputs(trees, AdaptationPlan(target=target.id))
    with pytest.raises(WorkbenchError, match="the unlabelled text was removed"):
        system.inputs(source, AdaptationPlan(target=target.id, unlabelled=999))
    with pytest.raises(WorkbenchError, match="your pivots, line 1: write a pivot as"):
        plan = AdaptationPlan(target=target.id, pivots="of in")
        system.start(system.inputs(source, plan), plan)
    with pytest.raises(
        WorkbenchError, match="pivot preposition has no words; add some, or choose Tags under Decided by"
    ):
        AdaptationPlan(language="xx", decide="words").chosen_pivots()
    assert {pivot.upos for pivot in AdaptationPlan(decide="words").chosen_pivots()} == {()}


def test_odd_pivots_and_dimensions_are_remarks(system, source, target):
    pivots = "determiner = upos:DET the a\nklingon = qapla"
    outcome = run(system, source, target=target.id, pivots=pivots, dimensions=9, rounds=0, few=0)
    notes = " ".join(outcome.run.figures["notes"])
    assert "pivot klingon is left out: it never holds of a word pair of the source and target text" in notes
    assert "2 pivots give at most 2 dimensions" in notes or "1 pivot gives at most 1 dimension, not 9" in notes
    assert outcome.run.figures["dimensions"] == 1
    plan = AdaptationPlan(**{**QUICK, "target": target.id, "pivots": "klingon = qapla"})
    number = system.start(system.inputs(source, plan), plan)
    snapshot = system.workspace.jobs.wait(number, timeout=60)
    assert snapshot.status == "failed" and "none of the 1 pivots can be used" in snapshot.error
