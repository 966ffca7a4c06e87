"""One arrow of a drawing."""

from dataclasses import dataclass

from core.draw.palette import DASHES, DISAGREEMENT


@dataclass(frozen=True, slots=True)
class Arc:
    """One arrow from ``head`` (0 = root, drawn as an arrow from above) to ``modifier``.

    Attributes
    ----------
    head, modifier : int
        0..n and 1..n.
    label : str
        The relation, or ``""``.
    kind : str
        One of ``core.draw.palette.MEANINGS``: what the arc is, hence its colour and dashes.
    posterior : float or None
        Probability in [0, 1]; the strength of the line. None draws a line of full strength.
    note : str
        Said when the arc or its modifier is pointed at, and in the table.
    below : bool
        Drawn under the words: the second of two analyses.
    disagrees : bool
        Dashed: the other analysis has another head here.
    agrees : bool
        Thick: the other analysis has the same head here, where that is what the drawing is about.
    """

    head: int
    modifier: int
    label: str = ""
    kind: str = "gold"
    posterior: float | None = None
    note: str = ""
    below: bool = False
    disagrees: bool = False
    agrees: bool = False

    @property
    def is_main(self) -> bool:
        """Whether the arc belongs to an analysis, rather than standing beside one."""
        return self.kind not in ("candidate", "former")

    @property
    def dash(self) -> str:
        """Dash pattern of the line, ``""`` for a solid one."""
        return DASHES.get(self.kind) or (DISAGREEMENT if self.disagrees else "")
