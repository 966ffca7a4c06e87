"""Dual decomposition: two solvers that must agree, joined by Lagrange multipliers."""

from core.decomposition.problem import Agreement, Solver
from core.decomposition.state import DualState
from core.decomposition.subgradient import DualResult, DualSettings, dual_decomposition
from core.decomposition.trace import IterationRecord, Trace

__all__ = [
    "Agreement",
    "DualResult",
    "DualSettings",
    "DualState",
    "IterationRecord",
    "Solver",
    "Trace",
    "dual_decomposition",
]
