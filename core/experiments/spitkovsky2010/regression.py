"""A linear regression of accuracy on the settings of many runs, with Holm's correction (spitkovsky2010, section 7)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from core.errors import WorkbenchError


@dataclass(frozen=True)
class SettingEffect:
    """The effect of a setting on accuracy, in percentage points.

    ``p_value`` is two-sided, of Student's t; ``holm`` the same corrected for all settings tested (not the intercept).
    """

    name: str
    coefficient: float
    error: float
    p_value: float
    holm: float | None

    @property
    def stars(self) -> str:
        """*** below 0.001, ** below 0.01, * below 0.05, by the p-value as it is."""
        return "".join("*" for bound in (0.001, 0.01, 0.05) if self.p_value < bound)


def regression(indicators: Mapping[str, Sequence], accuracies: Sequence) -> tuple[list[SettingEffect], float]:
    """Ordinary least squares of accuracies on indicators.

    Parameters
    ----------
    indicators : dict of str to sequence of (R,) 0 and 1
        One for each setting. A setting that is the same in all runs, or follows from those before, is left out.
    accuracies : sequence of (R,) float

    Returns
    -------
    (list of SettingEffect, float)
        The settings' effects in their order and the intercept's last; adjusted R squared.

    Raises
    ------
    WorkbenchError : no more runs than settings.
    """
    from statsmodels.regression.linear_model import OLS  # takes a second, and only this table needs it
    from statsmodels.stats.multitest import multipletests

    names, columns = [], [np.ones(len(accuracies))]
    for name, column in indicators.items():
        wider = [*columns, np.asarray(column, float)]
        if np.linalg.matrix_rank(np.column_stack(wider)) == len(wider):
            names, columns = [*names, name], wider
    if len(accuracies) <= len(columns):
        raise WorkbenchError(
            f"{len(accuracies)} runs are too few for {len(columns)} coefficients; add runs, or vary fewer settings"
        )
    fit = OLS(np.asarray(accuracies, float), np.column_stack(columns)).fit()
    corrected = np.asarray(multipletests(fit.pvalues[1:], method="holm")[1]) if names else np.empty(0)
    corrections = [*map(float, corrected), None]
    order = [*range(1, len(columns)), 0]  # the intercept last
    effects = [
        SettingEffect(name, float(fit.params[at]), float(fit.bse[at]), float(fit.pvalues[at]), holm)
        for name, at, holm in zip([*names, "intercept"], order, corrections, strict=True)
    ]
    return effects, float(fit.rsquared_adj)
