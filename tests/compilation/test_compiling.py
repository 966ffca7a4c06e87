"""What is said while kernels are compiled: only then, and how far the compiler is with those that a run needs."""

import io
import subprocess
import sys
import threading
import types
from importlib import import_module
from pathlib import Path
from typing import ClassVar

import pytest
from numba import njit
from numba.core import event
from numba.core.dispatcher import Dispatcher

from core.__main__ import Bar
from core.adaptation.warming import ADAPTATION, warm_adaptation
from core.commandline.warm import everything
from core.compilation import compiling
from core.compilation.compiling import (
    Compiler,
    Warming,
    compiled_from_both_ends,
    compiling_shown,
    kernels_of,
    progress,
)
from core.compilation.kernels import kernel
from core.consistency.warming import CONSISTENCY, CONSISTENT_TAGS, warm_consistency, warm_consistent_tags
from core.constraints.warming import EXPECTATION, GRAMMAR, warm_grammar, warm_training
from core.jobs import Jobs
from core.joint.warming import JOINT, warm_joint
from core.parsers.warming import INDUCTION, PARSING, warm_english, warm_induction
from core.store import Store
from core.threads import limited_to
from core.workspace.registry import SYSTEMS
from core.workspace.warmup import first_needed
from tests.filled import filled

ROOT = Path(__file__).parents[2]
TOY = Warming((), ("core.toy_kernels",))
PATIENCE = 300  # seconds after which a test hangs


def toy(name):
    """A kernel that nobody has compiled."""
    made = kernel(lambda number: number + 1)
    made.py_func.__name__, made.py_func.__module__ = name, "core.toy_kernels"
    return made


@pytest.fixture
def toys(monkeypatch):
    """Two kernels, of the work that TOY makes ready."""
    module = types.ModuleType("core.toy_kernels")
    module.one, module.other = toy("one"), toy("other")
    monkeypatch.setitem(compiling.sys.modules, module.__name__, module)
    return module


def test_kernels_count_as_ready_once_they_are_compiled(toys):
    kernels = kernels_of(TOY)
    assert kernels == [toys.one, toys.other]
    assert progress(kernels) == "Compiling, once: 0 of at most 2 functions"
    toys.other(1)
    assert progress(kernels) == "Compiling, once: 1 of at most 2 functions"


def test_the_compiler_is_at_work_from_the_start_to_the_end_of_a_kernel(toys):
    seen, listener = [], Compiler()
    with event.install_listener("numba:compile", listener):
        assert not listener.at_work([toys.one])
        with event.trigger_event("numba:compile", {"dispatcher": toys.one}):
            seen += [listener.at_work([toys.one]), listener.at_work([toys.other]), listener.at_work()]
    assert seen == [True, False, True]
    assert not listener.at_work()


@pytest.mark.parametrize("met, silent, said", [
    ("one", 0.0, True),  # one of the run's own kernels
    ("foreign", 0.0, False),  # another thread compiles, and the run goes on meanwhile
    ("foreign", 9.0, True),  # it does, and the run stands still
])  # fmt: skip
def test_a_job_that_meets_the_compiler_says_so_and_how_far_it_is(toys, tmp_path, met, silent, said):
    clock, store = [0.0], Store.open(f"sqlite:///{tmp_path / 'work.sqlite'}")
    jobs = Jobs(store, clock=lambda: clock[0])
    compiles, goes_on, compiled, ends = (threading.Event() for _ in range(4))
    pending = getattr(toys, met, None) or toy("foreign")

    def work(job):
        job.warming = TOY
        job.report(0, message="Reading the features")
        with event.trigger_event("numba:compile", {"dispatcher": pending}):
            compiles.set()
            assert goes_on.wait(PATIENCE)
        compiled.set()
        assert ends.wait(PATIENCE)

    run = jobs.start(store.default_project(), "toy", {}, work)
    assert compiles.wait(PATIENCE)
    clock[0] += silent
    during = jobs.snapshot(run).message
    goes_on.set()
    assert compiled.wait(PATIENCE)
    after = jobs.snapshot(run).message
    ends.set()
    jobs.wait(run, PATIENCE)
    store.close()
    assert during == ("Compiling, once: 0 of at most 2 functions" if said else "Reading the features")
    assert after == "Reading the features"


class Process:
    """Stands for the process that compiles from the other end."""

    started: ClassVar = []

    def __init__(self, command, **_):
        self.command, self.ended = command, False
        self.started.append(self)

    def terminate(self):
        self.ended = True

    def wait(self):
        assert self.ended


@pytest.fixture
def processes(monkeypatch):
    """The processes that were started, as Process."""
    monkeypatch.setattr(Process, "started", [])
    monkeypatch.setattr(compiling.subprocess, "Popen", Process)
    return Process.started


def compile_some(*kernels):
    for each in kernels:
        with event.trigger_event("numba:compile", {"dispatcher": each}):
            pass


def test_the_first_kernel_that_is_compiled_starts_a_second_process(toys, processes):
    with limited_to(2), compiled_from_both_ends(INDUCTION):
        assert not processes
        compile_some(njit(lambda number: number))  # of somebody else
        assert not processes
        compile_some(toys.one, toys.other)
        (second,) = processes
        steps = ["core.parsers.warming:warm_induction", "core.treebank.warming:warm_reading"]
        assert second.command[1:] == ["-m", "core.compilation.warm", *steps] and not second.ended
    assert second.ended


def test_on_one_core_or_where_no_process_can_be_started_one_compiles_alone(toys, processes, monkeypatch):
    with limited_to(1), compiled_from_both_ends(INDUCTION):
        compile_some(toys.one)
    assert not processes

    def refuse(*_, **__):
        raise OSError("no more processes")

    monkeypatch.setattr(compiling.subprocess, "Popen", refuse)
    with limited_to(2), compiled_from_both_ends(INDUCTION):
        compile_some(toys.one, toys.other)


def test_warming_takes_its_steps_in_order():
    taken = []
    Warming((lambda: taken.append("first"), lambda: taken.append("last"))).run()
    assert taken == ["first", "last"]


def test_everything_has_each_step_of_first_pages_and_systems_once():
    steps = everything().steps
    asked = [*first_needed().steps, *(step for system in SYSTEMS for step in system.warming.steps)]
    assert len(steps) == len(set(steps)) > 10 and set(asked) <= set(steps)
    for step in steps:
        step()


def test_the_second_process_takes_its_steps_and_ends():
    steps = ["core.parsers.warming:warm_induction", "core.treebank.warming:warm_reading"]
    subprocess.run([sys.executable, "-m", "core.compilation.warm", *steps], cwd=ROOT, check=True)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_command_shows_a_bar_while_it_compiles(toys, monkeypatch, terminal):
    output = io.StringIO()
    output.isatty = lambda: terminal
    monkeypatch.setattr(sys, "stderr", output)
    with Bar() as bar, compiling_shown(TOY, bar):
        assert not output.getvalue()
        compile_some(toys.one)
    line = f"Compiling, once: {'░' * 24} 0 of at most 2 functions\n"
    assert output.getvalue() == ("\r" if terminal else "") + line


@pytest.mark.parametrize("warming, prepare", [
    (PARSING, warm_english), (EXPECTATION, warm_training), (CONSISTENCY, warm_consistency),
    (CONSISTENT_TAGS, warm_consistent_tags),
    (INDUCTION, warm_induction), (GRAMMAR, warm_grammar), (JOINT, warm_joint), (ADAPTATION, warm_adaptation),
])  # fmt: skip
def test_every_kernel_that_a_run_calls_is_among_those_it_counts(warming, prepare):
    for thread in threading.enumerate():
        if thread.name == "warm-up":  # of a page that another test in this process has opened
            thread.join()
    before = called()
    prepare()
    listed = set(kernels_of(warming))
    assert listed, "kernels were moved: name their modules in their Warming"
    missed = [each for each in called() - before - listed if not each.py_func.__module__.startswith("core.treebank")]
    assert not missed, missed


def test_every_module_that_is_counted_holds_kernels():
    named = {name for warming in (PARSING, *(system.warming for system in SYSTEMS)) for name in warming.modules}
    for name in filled(named):
        assert any(isinstance(each, Dispatcher) for each in vars(import_module(name)).values()), name


def called():
    """The kernels that were called in this process."""
    modules = [module for name, module in list(compiling.sys.modules.items()) if name.startswith("core.")]
    found = (each for module in modules for each in list(vars(module).values()))
    return {each for each in found if isinstance(each, Dispatcher) and each.signatures}
