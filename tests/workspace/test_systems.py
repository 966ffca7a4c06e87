"""Every system of the registry keeps the contract: a system that is added is a line of ``CASES``, not more tests."""

import csv
import io
import json
import zipfile
from dataclasses import dataclass, replace

import numpy as np
import pytest

from core.__main__ import main
from core.errors import WorkbenchError
from core.store import Run
from core.treebank import conllu_text, load_sample, read_conllu
from core.workspace import add_corpus, registry
from core.workspace.constraints.constraint_set import save_text
from core.workspace.parses import load_parse, offered_parses, offers_of
from core.workspace.registry import SYSTEMS, Systems, kind_name, parsed_corpus
from core.workspace.runs.list import run_table
from core.workspace.runs.methods import methods_paragraph
from core.workspace.system import System
from tests.workspace.conftest import opened
from tests.workspace.offset import Offset
from tests.workspace.running import ended

OPENED = {  # how a file that a run left is read: true where there is something in it
    "conllu": lambda path: len(read_conllu(path)),
    "csv": lambda path: len(list(csv.reader(path.read_text().splitlines()))) > 1,
    "json": lambda path: json.loads(path.read_text()),
    "npz": lambda path: parses_by_command(path),
    "zip": lambda path: zipfile.ZipFile(path).testzip() is None,
}
TIMED = ("seconds", "code", "single_seconds", "training_seconds", "relative_time")  # figures that no two runs share


@dataclass
class Case:
    """A system over a small text with a plan that takes a moment, and a run of it that ended."""

    systems: Systems
    system: System
    corpus: object
    plan: object
    number: str  # a value of the plan
    run: Run

    @property
    def store(self):
        return self.systems.workspace.store

    def inputs(self):
        return self.system.inputs(self.corpus, self.plan)

    def run_of(self, number):
        return ended(self.system, number)


def texts_of_cases(workspace):
    """The texts that plans speak of: by name, in a store of their own."""
    rows = np.flatnonzero(load_sample().lengths <= 9)[:30]
    banks = {
        "one": load_sample().select(rows),
        "two": load_sample("function-heads").select(rows),
        "questions": load_sample("questions").limit(10),
    }
    project = workspace.store.default_project()
    texts = {
        name: workspace.store.corpus(
            add_corpus(workspace.store, project, f"{name}.conllu", conllu_text(bank.to_conllu()).encode())[0]
        )
        for name, bank in banks.items()
    }
    save_text(workspace.store, texts["one"], "DET <- NOUN = 0.9\nNOUN <- VERB = 0.8\nROOT -> VERB = 0.9\n", "typing")
    return texts


CASES = {  # changes of the usual plan, of texts by name; the last is a number that can be one more
    "ge": lambda texts: {"minimum_count": 1, "warm": False, "max_length": 9},
    "grammar": lambda texts: {"warm": False, "words": "no", "max_length": 9},
    "advised": lambda texts: {"texts": (texts["two"].id,), "sentences": 5},
    "consensus": lambda texts: {"order": 1, "epochs": 1, "tags": "upos", "minimum_count": 2},
    "consensus-tags": lambda texts: {"first": 15, "tags": "xpos", "unlabelled": texts["questions"].id, "epochs": 2},
    "induction": lambda texts: {"stages": "5, 9", "max_iterations": 3},
    "joint": lambda texts: {
        "treebanks": (f"corpus-{texts['one'].id}", f"corpus-{texts['two'].id}"), "order": 1, "epochs": 1,
        "candidates": 3, "rounds": 1, "stages": 1,
    },
    "scl": lambda texts: {"target": texts["questions"].id, "few": 2, "edges": 2000, "rounds": 0, "epochs": 1},
    "offset": lambda texts: {"taught_corpus": texts["two"].id, "farthest": 4},
}  # fmt: skip


@pytest.fixture(scope="module", params=[*(system.kind for system in SYSTEMS), "offset"])
def case(request, tmp_path_factory):
    """A Case of each system, one added among them, read by all tests; those that change something make other runs."""
    with opened(tmp_path_factory.mktemp(request.param)) as workspace, pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "SYSTEMS", (*SYSTEMS, Offset))
        yield case_of(request.param, workspace)


def case_of(kind, workspace):
    texts = texts_of_cases(workspace)
    systems = Systems(workspace)
    system, corpus = systems[kind], texts["one"]
    changes = CASES[kind](texts)
    system.save(corpus, "choosing", **changes)
    found = Case(systems, system, corpus, system.plan(corpus), list(changes)[-1], None)
    found.run = found.run_of(system.start(found.inputs(), found.plan))
    return found


def test_what_it_is_called_and_who_published_it_is_said(case):
    kinds = case.system.kinds
    assert case.system.kind in kinds and case.system.page and all(name and method for name, method in kinds.values())
    assert kind_name(case.run) == run_table(case.store, [case.run])["kind"][0] == kinds[case.run.kind].name
    paragraph = methods_paragraph(case.systems, case.run)
    assert case.system.citation.cited in paragraph and case.system.citation.reference in paragraph
    assert kinds[case.run.kind].method in paragraph
    for name, text in case.system.figures(case.run).items():
        assert not text or f"{name} {text}" in paragraph
    for name, bank in case.system.repeated(case.run)[1].items():
        assert f"{name}: {len(bank):,} sentence" in paragraph


def test_its_trees_are_offered_and_have_the_words_of_the_text(case):
    parsed = case.store.corpus(parsed_corpus(case.run))
    offers = offers_of(case.systems, parsed, case.run)
    parts = case.system.parts(case.run)
    assert [offer.key for offer in offers] == [f"run-{case.run.id}-{part}".rstrip("-") for part in parts]
    assert {offer.key for offer in offers} <= {offer.key for offer in offered_parses(case.systems, parsed)}
    outcome = case.system.load(case.run)
    assert list(outcome.parses) == list(parts)
    words = case.systems.workspace.treebank(parsed)
    for offer, part in zip(offers, parts, strict=True):
        bank = load_parse(case.systems, parsed, offer.key)
        source = words.select(np.isin(words.picks, bank.picks))
        assert [sentence.forms for sentence in bank] == [sentence.forms for sentence in source]
        assert (bank.heads == outcome.parses[part].heads).all() and (bank.heads >= 0).any()
    with pytest.raises(WorkbenchError, match="no trees called 'nothing'"):
        load_parse(case.systems, parsed, f"run-{case.run.id}-nothing")


def test_its_files_open(case, tmp_path):
    files = case.system.load(case.run).files
    assert len({file.name for file in files}) == len(files)
    for file in files:
        data, kind = file.data(), file.name.rpartition(".")[2]
        data = data.encode() if isinstance(data, str) else data
        (tmp_path / file.name).write_bytes(data)
        assert file.label and OPENED[kind](tmp_path / file.name)


def test_a_plan_is_undone_and_done_again(case):
    project, before, name = case.corpus.project, case.system.plan(case.corpus), case.number
    value = before.values()[name]
    case.system.save(case.corpus, "setting a number", **{name: value + 1})
    assert case.system.plan(case.corpus).values()[name] == value + 1
    assert case.store.undo(project).label == "setting a number"
    assert case.system.plan(case.corpus) == before
    case.store.redo(project)
    assert case.system.plan(case.corpus).values()[name] == value + 1
    case.store.undo(project)


def test_a_stored_plan_is_read_and_one_of_a_later_version_is_refused(case):
    plan_class, kept = case.system.plan_class, case.plan.as_dict()
    assert plan_class.from_dict(kept) == case.plan and plan_class.from_dict(case.run.settings)
    with pytest.raises(WorkbenchError, match="this one has no setting of_a_later_version; update it"):
        plan_class.from_dict(kept | {"of_a_later_version": 3})


def test_the_same_plan_on_the_same_texts_gives_the_same_in_a_process_of_its_own(case, monkeypatch):
    monkeypatch.setattr(case.systems.workspace, "large", 0)
    with pytest.raises(WorkbenchError, match="it is done"):
        case.system.resume(case.run)
    again = case.run_of(case.system.again(case.run))
    for name in ("kind", "settings", "constraint_text", "data_hash"):
        assert getattr(again, name) == getattr(case.run, name)
    assert _untimed(again.figures) == _untimed(case.run.figures)
    one, other = (_left(case.store, run) for run in (case.run, again))
    assert one == other and one


def test_it_stops_at_the_next_report_and_resumes_to_the_same_bits(case):
    jobs, inputs = case.systems.workspace.jobs, case.inputs()
    work, reports = case.system.work(inputs, case.plan), []

    def begin(stop_at):
        def stopping(job):
            return work(_Stopping(job, jobs, reports, stop_at))

        reports.clear()
        number = jobs.start(
            case.corpus.project, case.system.kind, case.run.settings, stopping,
            constraint_text=case.run.constraint_text, data_hash=inputs.hash,
        )  # fmt: skip
        return ended(case.system, number, "cancelled" if stop_at else "done")

    whole = begin(None)
    count = len(reports)
    assert count > 2
    stopped = begin(count - 2)
    assert len(reports) - (count - 2) <= 1
    finished = case.run_of(case.system.resume(stopped))
    assert _untimed(finished.figures) == _untimed(whole.figures)
    one, other = (case.system.load(run).parses for run in (whole, finished))
    for part, bank in one.items():
        assert (bank.heads == other[part].heads).all()
    one, other = (_left(case.store, run) for run in (whole, finished))
    assert one == other and one


class _Stopping:
    """A Job that is cancelled at a report, and counts them all."""

    def __init__(self, job, jobs, reports, stop_at):
        self._job, self._jobs, self._reports, self._stop_at = job, jobs, reports, stop_at

    def __getattr__(self, name):
        return getattr(self._job, name)

    def report(self, *arguments, **options):
        self._job.report(*arguments, **options)
        self._reports.append(arguments)
        if len(self._reports) == self._stop_at:
            self._jobs.cancel(self._job.run)


def test_texts_that_changed_are_named(case):
    other = replace(case.run, data_hash="0" * 64)
    for attempt in (case.system.inputs_of, case.system.again):
        with pytest.raises(WorkbenchError, match=f"run {case.run.id} has changed"):
            attempt(other)
    assert "identified by the hash 0000" in methods_paragraph(case.systems, other)


def test_what_a_run_left_cut_short_or_of_another_kind_is_one_sentence(case):
    data = case.store.result_bytes(case.run.id)
    for broken in (data[: len(data) // 2], b"no archive", b""):
        number = case.store.create_run(
            case.corpus.project, case.run.kind, case.run.settings, constraint_text=case.run.constraint_text,
            data_hash=case.run.data_hash,
        )  # fmt: skip
        case.store.start_run(number)
        case.store.finish_run(number, "done", case.run.figures, broken)
        with pytest.raises(WorkbenchError, match=f"what run {number} left cannot be read"):
            case.system.load(case.store.run(number))


def test_a_run_of_no_registered_kind_is_listed_and_refused(workspace, sample):
    number = workspace.store.create_run(sample.project, "of-a-plugin", {"corpus": sample.id})
    workspace.store.start_run(number)
    workspace.store.finish_run(number, "done", {})
    systems, run = Systems(workspace), workspace.store.run(number)
    assert run_table(workspace.store, [run])["kind"] == ["of-a-plugin"]
    assert not offers_of(systems, sample, run)
    for attempt in (systems.of, lambda run: methods_paragraph(systems, run)):
        with pytest.raises(WorkbenchError, match=f"run {number} \\(of-a-plugin\\)"):
            attempt(run)
    with pytest.raises(WorkbenchError, match="of-a-plugin"):
        load_parse(systems, sample, f"run-{number}")


def parses_by_command(model):
    """Whether the command line parses with a model."""
    text, parsed = model.with_suffix(".in"), model.with_suffix(".out")
    text.write_text(conllu_text(load_sample().limit(2).to_conllu()))
    return main(["parse", str(text), "--model", str(model), "--out", str(parsed)]) == 0 and parsed.stat().st_size


def _left(store, run):
    """The bytes of each array that a run left, by its name; without those of times."""
    with np.load(io.BytesIO(store.result_bytes(run.id)), allow_pickle=False) as arrays:
        return {name: arrays[name].tobytes() for name in arrays if not name.endswith("seconds")}


def _untimed(figures):
    return {name: value for name, value in figures.items() if name not in TIMED}
