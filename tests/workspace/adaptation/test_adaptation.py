"""Adaptation as a job: what a run leaves, how a stopped one goes on, bad input in one sentence."""

import csv
import io

import numpy as np
import pytest

from core.adaptation.systems import FEW, NONE, SCL, SELF_TRAINING
from core.annotation import with_tags
from core.errors import Cancelled, WorkbenchError
from core.evaluation import attachment_scores
from core.parsers import load_parser
from core.treebank import conllu_text, load_sample
from core.workspace.adaptation import tables
from core.workspace.adaptation.plan import OWN, AdaptationPlan
from core.workspace.adaptation.run import adaptation_work, live_scores
from core.workspace.adaptation.system import DomainAdaptation
from core.workspace.languages import change_language
from core.workspace.parses import load_parse, offered_parses
from core.workspace.registry import Systems
from core.workspace.runs.list import run_table
from core.workspace.system import unpacked
from core.workspace.wording import amount
from tests.workspace.running import Recording, carried_out, ended

QUICK = {"epochs": 2, "few": 3, "edges": 2000, "scale": 3.0, "unlabelled": OWN}


def text_of(treebank):
    return conllu_text(treebank.to_conllu())


@pytest.fixture(scope="module")
def system(module_workspace):
    return DomainAdaptation(module_workspace)


@pytest.fixture(scope="module")
def source(module_add):
    return module_add("source.conllu", text_of(load_sample().limit(40)))


@pytest.fixture(scope="module")
def target(module_add):
    return module_add("target.conllu", text_of(load_sample("questions").limit(12)))


def run(system, corpus, **changes):
    """Adapt; returns the AdaptationOutcome."""
    return system.load(carried_out(system, corpus, AdaptationPlan.of(**QUICK | changes)))


@pytest.fixture(scope="module")
def outcome(system, source, target):
    return run(system, source, target=target.id)


def test_a_run_leaves_scores_trees_findings_and_files(system, source, target, outcome, tmp_path):
    assert list(outcome.scores) == [NONE, SELF_TRAINING, FEW, SCL]
    texts = outcome.inputs
    assert (len(texts.source), len(texts.held), len(texts.few), len(texts.test)) == (36, 4, 3, 9)
    for name in list(outcome.scores):
        scores = attachment_scores(texts.test, outcome.parsed[name])
        assert outcome.scores[name]["target"][-1] == scores and len(outcome.scores[name]["source"]) == 2
    table = tables.score_table(outcome, "target")
    last = outcome.scores[SCL]["target"][-1]
    assert table["LAS"][-1] == f"{last.both / last.words:.1%} · {last.both:,} of {last.words:,}"
    over = f"with punctuation, in {amount(outcome.inputs.conditions['sentences'], 'sentence')} of the file"
    assert f"({last.both:,} of {last.words:,} words, {over}" in tables.verdict(outcome)
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
    whose = f"# tree = predicted by run {outcome.run.id}, adapted\n"
    assert files[".conllu"].count(whose) == len(after)
    assert files[".conllu"].replace(whose, "") == conllu_text(after.to_conllu())
    written = list(csv.DictReader(io.StringIO(files["-scores.csv"])))
    told = [row for row in written if (row["text"], row["system"], row["iteration"]) == ("source", SCL, "2")]
    assert len(written) == 4 * 2 * 2
    assert [int(row["heads right"]) for row in told] == [outcome.scores[SCL]["source"][-1].heads]
    assert len(files["-pivots.csv"].splitlines()) > 20
    assert len(files["-changed.csv"].splitlines()) == len(edges) + 1
    live = live_scores(system.workspace.jobs.trace(outcome.run.id))
    assert tables.courses(live, "target", "LAS") == tables.courses(outcome.scores, "target", "LAS")
    assert run_table(system.store, [outcome.run])["text"] == ["source.conllu → target.conllu"]
    values, arrays = unpacked(system.store.result_bytes(outcome.run.id), "adaptation-result")  # as always stored
    assert set(values) == {"findings", "systems"}
    trees = {f"{name}_{part}" for name in outcome.scores for part in ("heads", "relations", "values")}
    assert set(arrays) == trees | {"parser"}
    offered = [offer.key for offer in offered_parses(Systems(system.workspace), source)]
    assert not any(key.startswith("run-") for key in offered)  # they are the target's
    assert load_parse(Systems(system.workspace), target, f"run-{outcome.run.id}").picks[0] == 3


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


def test_the_questions_become_a_text_of_the_project(workspace, sample):
    system = DomainAdaptation(workspace)
    system.save(sample, "choosing", target=OWN)
    assert system.targets(sample)[OWN] == "sample: questions"
    plan = system.plan(sample)
    inputs, plan = system.prepared(system.inputs(sample, plan), plan)
    (made,) = [each for each in workspace.store.corpora(sample.project) if each.id != sample.id]
    assert made.name == "sample: questions" == inputs.target_name
    assert system.plan(sample).target == plan.target == made.id and OWN not in system.targets(sample)
    assert system.inputs(sample, system.plan(sample)).hash == inputs.hash


def test_a_stopped_run_goes_on_with_the_next_system(system, source, target, outcome):
    plan = AdaptationPlan.of(**QUICK, target=target.id)
    work, job, again = adaptation_work(system.inputs(source, plan), plan), Recording(most=2), Recording()
    with pytest.raises(Cancelled):
        work(job)
    again.resumed, again.iteration = job.checkpoints[-1], 4
    figures, result = work(again)
    assert again.iteration == 8 and result  # two systems of two iterations each were left
    for name in ("scores", "tests", "model", "base"):
        assert figures[name] == outcome.run.figures[name]


def bare(treebank, tags=True):
    """CoNLL-U without trees, perhaps without tags."""
    lines = []
    for sentence in treebank:
        words = zip(sentence.forms[1:], sentence.upos[1:], strict=True)
        lines += [f"{n}\t{form}\t_\t{tag if tags else '_'}\t_\t_\t_\t_\t_\t_" for n, (form, tag) in enumerate(words, 1)]
        lines.append("")
    return "\n".join(lines) + "\n"


def test_a_target_without_trees_is_parsed_and_not_scored(system, source, module_add):
    text = module_add("new.conllu", bare(load_sample("questions").limit(6)))
    outcome = run(system, source, target=text.id, rounds=0)
    assert outcome.inputs.few is None and "has no trees, so there are no scores" in tables.verdict(outcome)
    assert set(tables.score_table(outcome, "target")["LAS"]) == {None}
    assert not tables.courses(outcome.scores, "target", "LAS") and tables.courses(outcome.scores, "source", "LAS")
    assert set(tables.verdict_counts(outcome)) <= {"unknown", "relation"}


def test_unlabelled_text_without_tags_leaves_self_training_out(system, source, target, module_add):
    words = module_add("words.conllu", bare(load_sample("questions").limit(8), tags=False))
    outcome = run(system, source, target=target.id, unlabelled=words.id, few=0)
    assert SELF_TRAINING not in list(outcome.scores)
    assert any("self-training is left out" in note for note in outcome.run.figures["notes"])
    assert {each["by"] for each in outcome.findings["pivots"]} == {"form"}
    with pytest.raises(WorkbenchError, match=r"words.conllu has no tags; tag the text first, on the Corpus page"):
        system.inputs(source, AdaptationPlan(target=words.id))


def test_what_cannot_be_done_is_one_sentence(system, source, target, module_add):
    trees = module_add("bare.conllu", bare(load_sample().limit(4)))
    for text, plan, message in (
        (source, AdaptationPlan(target=source.id), r"source\.conllu is source and target"),
        (trees, AdaptationPlan(target=target.id), r"bare\.conllu has no trees to learn from"),
        (source, AdaptationPlan(target=target.id, unlabelled=999), "the unlabelled text was removed"),
        (source, AdaptationPlan(target=target.id, pivots="of in"), "your pivots, line 1: write a pivot as"),
    ):
        with pytest.raises(WorkbenchError, match=message):
            system.start(system.inputs(text, plan), plan)
    words = "pivot preposition has no words, so words cannot decide; add some, or let tags decide"
    with pytest.raises(WorkbenchError, match=words):
        AdaptationPlan(language="xx", decide="words").chosen_pivots()
    assert {pivot.upos for pivot in AdaptationPlan(decide="words").chosen_pivots()} == {()}


def test_the_language_of_a_text_decides_which_pivots_it_has_at_first(system, module_add):
    sample = load_sample().limit(3).to_conllu()
    untagged = with_tags(sample, {i: {"upos": [""] * n} for i, n in enumerate(sample.lengths.tolist())})
    for text, language, expected in (
        (sample, "de", ("de", 0)), (sample, "ga", ("xx", 0)), (sample, "unknown", ("xx", 0)),
        (untagged, "ga", ("xx", 25)),
    ):  # fmt: skip
        corpus = change_language(system.store, module_add("some.conllu", text_of(text)), language)
        plan = system.plan(corpus)
        assert (plan.language, plan.settings.between) == expected and plan.chosen_pivots()


def test_odd_pivots_and_dimensions_are_remarks(system, source, target):
    pivots = "determiner = upos:DET the a\nklingon = qapla"
    outcome = run(system, source, target=target.id, pivots=pivots, dimensions=9, rounds=0, few=0)
    notes = " ".join(outcome.run.figures["notes"])
    assert "pivot klingon is left out: it never holds of a word pair of the source and target text" in notes
    assert "2 pivots give at most 2 dimensions" in notes or "1 pivot gives at most 1 dimension, not 9" in notes
    assert outcome.run.figures["dimensions"] == 1
    plan = AdaptationPlan.of(**QUICK, target=target.id, pivots="klingon = qapla")
    failed = ended(system, system.start(system.inputs(source, plan), plan), "failed")
    assert "none of the 1 pivots can be used" in failed.error
