"""Figure 2 of rush2012 to the letter, but for the sign of its update."""

import numpy as np


def figure_2(first, second, owner, step, iterations):
    """(the second solver's solution as Figure 2 returns it, whether both sides agree, every dual value).

    All multipliers begin at zero. All blocks are solved in each iteration. The step is ``step`` over one and how often
    the dual value has risen from one iteration to the next (Koo et al. 2010, to whom the paper refers).
    """
    multipliers, duals, rises = np.zeros(len(owner)), [], 0
    blocks = [np.arange(len(solver.values)) for solver in (first, second)]
    for _ in range(iterations):
        second.argmax(-multipliers, blocks[1])
        first.argmax(multipliers, blocks[0], second.choice)  # ties go to what the other side has
        duals.append(first.values.sum() + second.values.sum())
        rises += len(duals) > 1 and duals[-1] > duals[-2] + 1e-10
        if (first.choice == second.choice).all():
            return second.solution.copy(), True, duals
        differ = first.choice != second.choice
        multipliers[first.choice[differ]] -= step / (1 + rises)
        multipliers[second.choice[differ]] += step / (1 + rises)
    return second.solution.copy(), False, duals
