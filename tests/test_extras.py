"""Where the library of an extra is not installed: one sentence says what to run, and everything else works."""

import sys

import numpy as np
import pytest

from core import extras
from core.adaptation.warming import warm_adaptation
from core.errors import WorkbenchError
from core.experiments.experiment import Environment
from core.experiments.spitkovsky2010 import grids
from core.teach.algorithms import ALGORITHMS
from core.teach.slides import slides_pdf
from core.teach.step import Example

SEGMENTERS = ("chinese", "japanese", "thai", "vietnamese")  # tests do without them
SENTENCE = r'^{} needs a library that is not installed; run: pip install "parser-workbench\[{}\]"$'


@pytest.fixture
def without(monkeypatch):
    """without(extra) takes its library away."""
    return lambda extra: monkeypatch.setitem(sys.modules, extras.EXTRAS[extra][0], None)


@pytest.mark.parametrize("extra", extras.EXTRAS)
def test_a_missing_library_is_named_by_its_extra(without, extra):
    if extra not in SEGMENTERS:
        assert extras.missing(extra) is None
        extras.require(extra)
    without(extra)
    with pytest.raises(WorkbenchError, match=SENTENCE.format(extras.EXTRAS[extra][1], extra)):
        extras.require(extra)


def test_slides_as_a_pdf(without):
    trace = ALGORITHMS["eisner"].steps(Example(("", "a"), ("", ""), np.zeros((2, 2))))
    without("pdf")
    with pytest.raises(WorkbenchError, match=r"run: pip install \"parser-workbench\[pdf\]\""):
        slides_pdf(trace)


def test_the_regression_is_refused_before_its_runs(without, tmp_path):
    without("regression")
    with pytest.raises(WorkbenchError, match=r"parser-workbench\[regression\]"):
        grids.regress(Environment(tmp_path, quick=True))


def test_kernels_of_adapting_are_left_out(without):
    without("adaptation")
    warm_adaptation()
