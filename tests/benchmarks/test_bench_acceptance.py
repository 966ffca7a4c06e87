"""What the workbench promises as a whole, a function a line; what is about pages is in test_bench_acceptance_pages.py.

    python -m pytest tests/benchmarks/test_bench_acc* --benchmark-enable --benchmark-only -s

Behaviour is asserted; times are printed beside their budgets in a table at the end, with the load of the machine.
Lines that tests cover wholly are in the table by the names of these.
"""

import threading
import time
from dataclasses import replace
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from core.constraints import Matcher, format_constraints, oracle_constraints, parse_constraints
from core.constraints.ge.baselines import attach_left, attach_right
from core.constraints.matching.check import ConstraintSet
from core.treebank import Treebank, conllu_text, load_sample, read_conllu, write_conllu
from core.workspace import Workspace
from core.workspace.adaptation.plan import AdaptationPlan
from core.workspace.adaptation.system import DomainAdaptation
from core.workspace.annotate.queue import Measuring
from core.workspace.compare.side_by_side import side_by_side
from core.workspace.compare.tables import draw_two, opened_rows, word_table
from core.workspace.consensus.plan import ConsensusPlan
from core.workspace.consensus.system import Consensus
from core.workspace.constraints.coverage import conflicts, preview, survey
from core.workspace.constraints.inputs import ConstraintInputs, untrained
from core.workspace.constraints.plan import default_settings
from core.workspace.induction.plan import InductionPlan
from core.workspace.induction.system import Induction
from core.workspace.joint.plan import JointPlan
from core.workspace.joint.system import Joint
from core.workspace.markup.pages import add_pages
from core.workspace.markup.reading import PageReading
from core.workspace.markup.trees import MarkupParsing
from core.workspace.parses import add_parse, offered_parses
from core.workspace.registry import Systems
from tests.benchmarks.acceptance import COUNT, COVERED, added, seconds, told
from tests.filled import filled
from tests.patience import PATIENCE, wait_for

ROOT = Path(__file__).resolve().parents[2]


def test_the_tests_that_cover_a_line_are_there():
    for names in COVERED.values():
        for name in names:
            file, _, function = name.partition("::")
            assert f"def {function}(" in (ROOT / "tests" / file).read_text(encoding="utf-8"), name


@pytest.fixture
def workspace(tmp_path, monkeypatch):
    monkeypatch.setenv("WORKBENCH_HOME", str(tmp_path))
    found = Workspace.open(f"sqlite:///{tmp_path}/workbench.sqlite")
    yield found
    found.store.close()


def test_5_three_parsers_side_by_side(benchmark, workspace, bar, ten):
    corpus = added(workspace, "ten.conllu", read_conllu(ten.encode()))
    treebank = workspace.treebank(corpus)
    for name, parse in (("left", attach_left), ("right", attach_right)):
        add_parse(workspace, corpus, f"{name}.conllu", conllu_text(parse(treebank).to_conllu()).encode())
    offers = offered_parses(Systems(workspace), corpus)[:3]
    began = time.perf_counter()
    found = side_by_side(Systems(workspace), corpus, offers)
    bar("5 three parsers compared", "", f"{time.perf_counter() - began:.2f} s")
    rows, _ = opened_rows(found, None)
    indices = sorted(set(word_table(found, rows)[0].tolist()))

    def twenty():
        one, two, three = found.names
        for index in indices[:20]:
            for other in (two, three):
                draw_two(found, one, other, index, rows).as_data()

    benchmark.pedantic(twenty, rounds=5)
    bar("5 differences of 3, a page of 20", "1 s", f"{benchmark.stats.stats.median * 1e3:.0f} ms")


def test_7_a_file_comes_back_byte_for_byte(benchmark, bar, ten, tmp_path):
    source, target = tmp_path / "in.conllu", tmp_path / "out.conllu"
    source.write_text(ten, encoding="utf-8")
    benchmark.pedantic(lambda: write_conllu(read_conllu(source), target), rounds=3)
    assert target.read_bytes() == source.read_bytes()
    bar("7 10,000 sentences in and out", "same", f"same bytes, {benchmark.stats.stats.median:.2f} s")


def test_8_jobs_tell_and_stop(benchmark, workspace, bar, most):
    """Every kind of job: it says how far it is, and ends soon after Cancel whenever that comes."""
    starters = jobs_to_start(workspace, most)
    worst = {}
    for kind, start in filled(starters.items()):
        waits = []
        for moment in most((0.2, 1.0, 2.5), (0.2,)):
            run = start()
            time.sleep(moment)
            workspace.jobs.cancel(run)
            waited = seconds(lambda run=run: workspace.jobs.wait(run, timeout=PATIENCE))
            if workspace.store.run(run).status == "done":
                break
            assert workspace.store.run(run).status == "cancelled"
            waits.append(waited)
        worst[kind] = waits
        bar(f"8 Cancel, {kind}", "1 s", told(waits) if waits else "over before it can be cancelled")
    run = starters["joint"]()
    ticks = []
    ended = threading.Event()

    def tick():
        while not ended.wait(0.01):
            ticks.append(time.perf_counter())

    ticker = threading.Thread(target=tick)
    ticker.start()
    time.sleep(most(3, 0))
    wait_for(lambda: (told := workspace.jobs.snapshot(run)).fraction is not None and told.message)
    ended.set()
    ticker.join()
    workspace.jobs.cancel(run)
    workspace.jobs.wait(run, timeout=PATIENCE)
    gaps = [late - soon for soon, late in pairwise(ticks)]
    bar("8 ticker of 10 ms beside a job", "", f"{len(ticks)} ticks, longest pause {max(gaps, default=0) * 1e3:.0f} ms")
    benchmark.pedantic(lambda: workspace.jobs.snapshot(run), rounds=5)


LONG_PAGE = "".join(f"<p>Boat {n} <b>sank in</b> the harbour. Nobody saw it.</p>" for n in range(500)).encode()


def gone_on_with(workspace, corpus):
    """The run that parses the marked sentences, begun or gone on with."""
    parsing = MarkupParsing(workspace)
    run = parsing.follow(corpus, "english")
    return run if workspace.jobs.snapshot(run).active else parsing.resume(workspace.store.run(run))


def jobs_to_start(workspace, most):
    """Kind -> a function that starts a job of it and returns the run."""
    big = Treebank.from_sentences(
        {"forms": s.forms[1:], "upos": s.upos[1:], "xpos": s.xpos[1:], "heads": s.heads[1:], "deprels": s.deprels[1:]}
        for _ in range(most(6, 1))
        for s in load_sample()
    )
    corpus, other = added(workspace, "big.conllu", big), added(workspace, "questions.conllu", load_sample("questions"))
    sample = workspace.store.corpora(corpus.project)[0]
    systems = Systems(workspace)
    measuring = Measuring(systems)
    ge = systems["ge"]
    text = ge.text(corpus)
    known = format_constraints(oracle_constraints(text.treebank, 20, 20, tags=text.settings.tags))
    numbers = iter(range(COUNT))
    joint = JointPlan((f"corpus-{corpus.id}", f"corpus-{sample.id}"))
    induction, desk = Induction(workspace), Joint(workspace)
    consensus, half = Consensus(workspace), ConsensusPlan(first=len(big) // 2)
    adaptation, to_other = DomainAdaptation(workspace), AdaptationPlan(target=other.id)
    plain, loose, judged = InductionPlan.of(level="none"), InductionPlan(), []

    def start_judging():
        if not judged:
            run = ge.train(text, known)
            workspace.jobs.wait(run)
            judged.append(workspace.store.run(run))
        return ge.ablation.start_for(judged[0])

    pages = [(f"{number}.html", page) for number, page in enumerate([LONG_PAGE] * most(40, 4))]
    marked = workspace.store.corpus(add_pages(workspace.store, corpus.project, pages[:4])[0])
    return {
        "GE": lambda: ge.train(text, f"{known}\n# {next(numbers)}\n"),
        "induction": lambda: induction.start(induction.inputs(corpus, plain), plain),
        "table of inductions": lambda: induction.grid.start(induction.inputs(sample, loose), loose),
        "consistency": lambda: consensus.start(consensus.inputs(corpus, half), half),
        "joint": lambda: desk.start(desk.inputs(other, joint), joint),
        "adaptation": lambda: adaptation.start(adaptation.inputs(corpus, to_other), to_other),
        "worth of lines": start_judging,
        "mark-up, reading": lambda: PageReading(workspace).start_on(corpus.project, pages),
        "mark-up, trees": lambda: gone_on_with(workspace, marked),
        "measuring": lambda: measuring.start(measuring.inputs(corpus, "english"), "english"),
    }


def test_9_a_constraint_while_it_is_typed(benchmark, shared_data, bar, most):
    bank = read_conllu(shared_data / "en-ewt" / "ewt-train.conllu").limit(most(COUNT, 400))
    settings = default_settings(bank)
    trained = bank.max_length(settings.max_length or int(bank.lengths.max()))
    for name, treebank in (("trained on", trained), ("all", bank)):
        for what, times in typed(_text(treebank, settings, name)).items():
            bar(f"9 {what}, {name} {len(treebank):,}", "500 ms", told(times))
    benchmark.pedantic(Matcher, args=(bank, settings.tags), rounds=3)


def _text(treebank, settings, name):
    matcher = Matcher(treebank, settings.tags)
    constraint_set = ConstraintSet("", matcher)
    return ConstraintInputs(
        corpus=None,
        key=name,
        read=name,
        treebank=treebank,
        settings=settings,
        matcher=matcher,
        constraint_set=constraint_set,
    )


def _over(text, source):
    return replace(text, constraint_set=ConstraintSet(source, text.matcher))


def typed(text):
    """Seconds by what is told, for seven last lines of a set that no trees meet."""
    model, known = untrained(text), oracle_constraints(text.treebank, 20, 200, tags=text.settings.tags)
    source = format_constraints(known)
    survey(_over(text, source), model, model)
    times = {"coverage": [], "examples, overlap": [], "feasibility": []}
    for distance in range(2, 9):
        line = f"NOUN <- VERB dist 1..{distance} = 0.99"
        whole = f"{source}{line}\nROOT -> VERB per modifier = 0.{90 + distance}\n"
        constraint = parse_constraints(line, text.matcher)[0]
        times["coverage"].append(seconds(lambda whole=whole: survey(_over(text, whole), model, model)))
        times["examples, overlap"].append(seconds(partial(preview, text, constraint, known, model)))
        times["feasibility"].append(seconds(partial(conflicts, _over(text, whole))))
    culprits = conflicts(_over(text, whole))
    assert any("together with line" in problem.message or "needs" in problem.message for problem in culprits)
    return times
