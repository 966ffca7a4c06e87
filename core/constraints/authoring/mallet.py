"""Constraints in MALLET's notation for expectation constraints, as far as it can say them.

A MALLET file has one constraint a line, ``feature label:probability label:probability ...``, fields apart by white
space, a range as ``label:low,high``; no comments, no weights. It belongs to classifiers: the probability is the
expected share of the label among all instances with the feature (Druck, Mann & McCallum 2008).

The instances of a dependency constraint are the pairs of words of a sentence. Its feature is "this pair is a
candidate", and the two labels are ``edge`` and ``no``. So, for targets that are shares of pairs, as in druck2009,

    VBD -> TO = 1.0                   is    VBD->TO edge:1.0 no:0.0
    DET <- NOUN dist 1 = 0.9..1.0     is    DET<-NOUN+dist+1 edge:0.9,1.0 no:0.0,0.1

and both say the same: the mean of P(edge) over the candidates. Names of features hold no white space: as in URLs, a
space is written ``+``, and the characters ``+``, ``%`` and other white space ``%2B``, ``%25`` and so on. MALLET's
squared distance adds up both labels, which is twice ours for every constraint alike. What does not apply:

- weights: MALLET has none; they are dropped, and said to be.
- ``per modifier`` and ``per head``: the same number of edges is written as a share of pairs, which loses nothing but
  needs the text; without it such lines are left out.
- ``<->``: its pairs have no head, so that there is no one edge to expect; such lines are left out.
- comments.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from urllib.parse import unquote_plus

from core.constraints.language.constraint import EITHER_HEAD, Constraint
from core.constraints.language.reading import Problem, read_line
from core.constraints.matching.matcher import Matcher, as_matcher
from core.errors import ConstraintError
from core.treebank import Treebank

EDGE, NO = "edge", "no"
ROUNDING = 0.005  # how far the two labels may be from adding up to one
SPECIAL = re.compile(r"[%+\s]")
INDICES = re.compile(r"\d+(\s+[\d.eE+-]+)+")
EXAMPLE = "VBD->TO edge:0.75 no:0.25"


def format_mallet(
    constraints: Sequence[Constraint], treebank: Treebank | Matcher | None = None, tags: str | None = None
) -> tuple[str, list[Problem]]:
    """Constraints as the text of a MALLET constraint file.

    Parameters
    ----------
    constraints : sequence of Constraint
    treebank : Treebank or Matcher, optional
        The text, to turn shares of words into shares of pairs.
    tags : None, "xpos" or "upos"

    Returns
    -------
    text : str
        One line per constraint that can be written.
    problems : list of Problem
        Warnings about what the notation cannot say; their lines are the numbers of the constraints in the list.
    """
    matcher = None if treebank is None else as_matcher(treebank, tags, constraints)
    lines, problems = [], []
    for number, constraint in enumerate(constraints, 1):
        low, high, problem = _pair_shares(constraint, matcher)
        if constraint.weight != 1:
            problem = "; ".join(filter(None, [problem, f"MALLET has no weights: weight {constraint.weight:g} is lost"]))
        if problem:
            problems.append(Problem(number, 1, "warning", f"{constraint.name}: {problem}"))
        if low is not None and high is not None:
            no = _range(1 - Decimal(repr(float(high))), 1 - Decimal(repr(float(low))))
            lines.append(f"{_feature(constraint)} {EDGE}:{_range(low, high)} {NO}:{no}\n")
    return "".join(lines), problems


def parse_mallet(text: str) -> list[Constraint]:
    """Read a MALLET constraint file whose features are word pairs and whose labels are ``edge`` and ``no``.

    Parameters
    ----------
    text : str
        One label is enough; the other is what remains. Blank lines, and lines that begin with ``#``, are skipped.

    Returns
    -------
    list of Constraint
        Shares of pairs, each with its ``line``.

    Raises
    ------
    ConstraintError : the first line that cannot be read.
    """
    constraints = []
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1):
        fields = line.split()
        if fields and not fields[0].startswith("#"):
            constraints.append(_read(line, fields, number))
    return constraints


def _pair_shares(constraint, matcher):
    """(low, high, problem): the target as shares of pairs; None when that needs a text."""
    if constraint.arrow == EITHER_HEAD:
        return None, None, f"{EITHER_HEAD} leaves open which word is the head and is left out"
    if constraint.per == "pair":
        return constraint.low, constraint.high, None
    if matcher is None:
        problem = f"a share per {constraint.per} is left out; give the text to write it as a share of pairs"
        return None, None, problem
    (coverage,) = matcher.counts([constraint])
    if not coverage.pairs:
        return None, None, "matches no pair of words in this text and is left out"
    factor = coverage.denominator / coverage.pairs
    return constraint.low * factor, constraint.high * factor, ""


def _range(low, high):
    return f"{low}" if low == high else f"{low},{high}"


def _feature(constraint):
    """The pattern without white space; around the arrow there is none where that can be read back."""
    pattern = constraint.pattern
    first, second = constraint.head.text, constraint.modifier.text
    if constraint.arrow == "<-":
        first, second = second, first
    spaced = f"{first} {constraint.arrow} {second}"
    close = f"{first}{constraint.arrow}{second}{pattern[len(spaced) :]}"
    reread = read_line(close + " = 1", 1).constraint
    text = close if reread is not None and reread.pattern == pattern else pattern

    def escaped(match):
        return "+" if match.group() == " " else "".join(f"%{byte:02X}" for byte in match.group().encode("utf-8"))

    return SPECIAL.sub(escaped, text)


def _read(line, fields, number):
    if INDICES.fullmatch(line.strip()):
        raise ConstraintError(
            "this is MALLET's notation by feature index, which only its own data can read; write names, such as "
            f"{EXAMPLE}",
            line=number,
        )
    shares = {}
    for field in fields[1:]:
        label, colon, value = field.partition(":")
        if label not in (EDGE, NO) or not colon:
            raise ConstraintError(
                f"expected edge:probability or no:probability, found {field!r}; a line is such as {EXAMPLE}",
                line=number,
            )
        if label in shares:
            raise ConstraintError(f"the label {label!r} is given twice", line=number)
        shares[label] = _probabilities(value, number)
    if not shares:
        raise ConstraintError(f"there is no label:probability after {fields[0]!r}; write {EXAMPLE}", line=number)
    feature = fields[0]
    line_read = read_line(unquote_plus(feature) + " = 0.0..1.0", number)
    constraint = line_read.constraint
    if constraint is None or constraint.comment or constraint.per != "pair":
        reason = line_read.problem.message if line_read.problem else "it says more than which pairs are meant"
        raise ConstraintError(f"the feature {feature!r} is not a kind of word pair: {reason}", line=number)
    no = shares.get(NO)
    low, high = shares[EDGE] if no is None or EDGE in shares else (1 - no[1], 1 - no[0])
    if no is not None and max(abs(low + no[1] - 1), abs(high + no[0] - 1)) > ROUNDING:
        edge = _range(low, high)
        raise ConstraintError(f"{EDGE}:{edge} and {NO}:{_range(*no)} do not add up to 1; correct one", line=number)
    return retargeted(constraint, number, low=float(low), high=float(high))


def _probabilities(value, number):
    """(low, high) of ``0.75`` or ``0.5,0.75``, as Decimals."""
    parts = value.split(",")
    try:
        low, high = Decimal(parts[0]), Decimal(parts[-1])
    except ArithmeticError:
        low = high = Decimal("NaN")
    if len(parts) > 2 or not (low.is_finite() and high.is_finite()):
        raise ConstraintError(f"{value!r} is neither a probability nor a range low,high", line=number)
    return low, high


def retargeted(constraint: Constraint, line: int, **fields: float | str) -> Constraint:
    """The Constraint with other fields, read from ``line``; a refusal names that line."""
    try:
        return replace(constraint, line=line, places=(), **fields)
    except ConstraintError as error:
        raise ConstraintError(str(error), line=line) from None
