"""What is said of constraints that could be left out."""

import numpy as np
import pytest

from core.constraints import parse_constraints
from core.workspace.constraints.ablation import Ablation, verdicts


@pytest.mark.parametrize(
    ("removable", "said"),
    [
        ((0,), "1 of 2 constraints is learnt: the grammar meets it without its multiplier (weight)."),
        ((0, 1), "2 of 2 constraints are learnt: the grammar meets them without their multipliers (weights)."),
    ],
)
def test_constraints_that_are_learnt_are_counted(removable, said):
    constraints = parse_constraints("DET <- NOUN per modifier = 0.9\nADP <- NOUN per modifier = 0.8\n")
    shares = np.array([0.9, 0.8])
    ablation = Ablation(
        tuple(constraints),
        shares,
        np.tile(shares, (2, 1)),
        np.full(2, -1),
        np.zeros(2),
        removable,
        shares,
        (),
        (),
        (),
        9,
    )
    assert verdicts(ablation, learnt=True) == (said, "Some trees meet all 2 targets at once.")
