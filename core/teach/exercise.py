"""Exercises: tasks that hold all that is shown and judged, so that they outlive the text that they were made from.

An answer is a few strings, as many as the task asks for. Judging says of each whether it is right.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.annotation.relation_meanings import meaning
from core.constraints import Matcher, parse_constraints
from core.constraints.language.constraint import Constraint
from core.errors import WorkbenchError
from core.teach.algorithms import algorithm_named
from core.teach.deck import questions_of, spread
from core.teach.scores import score_table
from core.teach.slides import figure_svg
from core.teach.step import AlgorithmTrace, Example, arrow, listed, number, numbered
from core.treebank import Treebank

MOVE, CELL, TREE, CONSTRAINT = KINDS = "move", "cell", "tree", "constraint"
NONE, SHARE, WHICH, ANSWER = FEEDBACK = "none", "share", "which", "answer"
MOST_TASKS = 12  # of an exercise
MOST_TRIES = 20
FEW_CELLS = 2  # a step that changes more is not worked out by hand
LEAST_FAVOURED = 0.5  # share from which on a constraint speaks for its arcs
MINUS = "−"


@dataclass(frozen=True, slots=True)
class ClassTask:
    """One task.

    Attributes
    ----------
    kind : str
        One of ``KINDS``.
    asks : str
        What to do, in one sentence.
    right : tuple of str
        Of a move all right options, and of a cell its value. Of a tree ``"2 nsubj"`` for each word, or ``"2"`` without
        relations; "" for words that are not asked for. Of a constraint the head and modifier of the right arc and of
        the wrong one.
    options : tuple of str
        What is chosen from: moves, or relations.
    words, tags : tuple of str, length n + 1
        The sentence; entry 0 is the root's.
    said : str
        What happened last.
    picture : str
        SVG text, or "".
    table : tuple of rows, each a tuple of str
        The scores that the answer follows from.
    given : tuple of str
        The numbers that the question is about, a line for each option.
    why : tuple of str
        Why what is right is right: of each part that ``judge`` looks at.
    """

    kind: str
    asks: str
    right: tuple[str, ...]
    options: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    said: str = ""
    picture: str = ""
    table: tuple[tuple[str, ...], ...] = ()
    given: tuple[str, ...] = ()
    why: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerRules:
    """How an exercise is answered: the ``feedback``, one of ``FEEDBACK``, and how often a task may be ``tried``."""

    feedback: str = WHICH
    tries: int = 3

    def __post_init__(self):
        if self.feedback not in FEEDBACK or not 1 <= self.tries <= MOST_TRIES:
            raise WorkbenchError(
                f"feedback must be one of {', '.join(FEEDBACK)} and tries 1 to {MOST_TRIES}, got {self.feedback!r} and "
                f"{self.tries}"
            )


def move_tasks(
    trace: AlgorithmTrace, example: Example, most: int = MOST_TASKS, only: int | None = None
) -> list[ClassTask]:
    """The questions of a trace as Tasks, ``most`` at most, spread over its steps; or the one that ``only`` answers."""
    tasks = []
    for index, question in questions_of(trace, most if only is None else len(trace)):
        if index > 0 and only in (None, index):
            right = (question.answer, *question.also)
            why, shown = (trace.steps[index].caption,), _shown(trace, example, index - 1)
            shown |= {"given": question.given, "why": why}
            tasks.append(ClassTask(MOVE, question.text, right, question.options, **shown))
    return tasks


def cell_tasks(trace: AlgorithmTrace, example: Example) -> list[ClassTask]:
    """The values that single steps of a trace work out as Tasks: those of a chart or of a matrix.

    They are ``MOST_TASKS`` at most, spread over the steps. Only of steps that change ``FEW_CELLS`` rows of their table,
    and numbers alone.
    """
    tasks = []
    for index, place, column, value in spread(list(_cells(trace, 4 * MOST_TASKS)), MOST_TASKS):
        asks = f"What is the {column} of “{place}”?"
        tasks.append(
            ClassTask(CELL, asks, (value,), why=(trace.steps[index].caption,), **_shown(trace, example, index - 1))
        )
    return tasks


def has_cells(trace: AlgorithmTrace) -> bool:
    """Whether ``cell_tasks`` finds any: looks no further than the first, and draws nothing."""
    return next(_cells(trace, len(trace)), None) is not None


def _cells(trace, most):
    """What ``_new_cell`` finds of each step, or of so many spread over a longer trace."""
    return filter(None, (_new_cell(trace, index) for index in spread(range(1, len(trace)), most)))


def _shown(trace, example, index):
    """What a task shows of a step: its picture, what was said, the scores."""
    height = trace.steps[index].picture.scene().height
    table = score_rows(example) if "scores" in algorithm_named(trace.algorithm).wants and example.second is None else ()
    return {
        "said": trace.steps[index].caption, "picture": figure_svg(trace, index, "light", height), "table": table,
        "words": trace.words,
    }  # fmt: skip


def score_rows(example: Example) -> tuple[tuple[str, ...], ...]:
    """The scores of all arcs as rows of text, the first one of headings."""
    columns = score_table(example.words, example.scores)
    cells = [["" if cell is None else cell if isinstance(cell, str) else number(cell) for cell in column]
             for column in columns.values()]  # fmt: skip
    return (tuple(columns), *zip(*cells, strict=True))


def _new_cell(trace, index):
    """(step, row in words, column, value) of the first value that a step works out, or None."""
    before, after = trace.steps[index - 1].table, trace.steps[index].table
    column = next((name for name in after if "nats" in name or name in ("weight", "probability")), None)
    if column is None or set(before) != set(after) or not after[column]:
        return None
    names = list(after)[: list(after).index(column)]
    known = set(_rows(before, (*names, column)))
    changed = [row for row in _rows(after, (*names, column)) if row not in known]
    if not 1 <= len(changed) <= FEW_CELLS or _as_number(changed[0][-1]) is None:
        return None
    *place, value = changed[0]
    return index, ", ".join(filter(None, place)), column, value


def _rows(table, names):
    return list(zip(*([str(cell) for cell in table[name]] for name in names), strict=True))


def tree_task(bank: Treebank, relations: Sequence[str]) -> ClassTask:
    """Annotate the only sentence of a Treebank: the head of each word but punctuation, and its relation.

    Relations are asked for where some are given to choose from. Raises WorkbenchError where a word has no head.
    """
    heads, labels = bank[0].heads, bank[0].deprels
    if (heads[1:] < 0).any():
        raise WorkbenchError("this sentence has no whole tree that answers could be compared with; annotate it first")
    asked = [m for m in range(1, len(heads)) if not bank.punctuation()[m]]
    right = tuple(_said(heads, labels, m, relations) if m in asked else "" for m in range(1, len(heads)))
    words, tags = tuple(bank[0].forms), tuple(getattr(bank[0], bank.coarse_name))
    what = "head and relation" if relations else "head"
    why = tuple(f"{numbered(words, m)} {meaning(labels[m])}" if meaning(labels[m]) else "" for m in asked)
    return ClassTask(
        TREE, f"Choose the {what} of each word; 0 is the root.", right, tuple(relations), words, tags, why=why
    )


def _said(heads, labels, m, relations):
    return f"{heads[m]} {labels[m]}" if relations else f"{heads[m]}"


def constraint_task(words: Sequence[str], tags: Sequence[str], right: tuple[int, int], wrong: int) -> ClassTask:
    """Write a constraint that mends an error: the parser attached the modifier of the ``right`` arc to ``wrong``."""
    head, modifier = right
    asks = (
        f"The parser has {arrow(words, wrong, modifier)}, and {arrow(words, head, modifier)} is right. Write a "
        "constraint that speaks for the right arc and not for the wrong one, such as DET <- NOUN = 0.9."
    )
    why = (f"{arrow(words, head, modifier)} has the tags {tags[head] if head else 'ROOT'} and {tags[modifier]}.",)
    values = tuple(map(str, (head, modifier, wrong, modifier)))
    return ClassTask(CONSTRAINT, asks, values, words=tuple(words), tags=tuple(tags), why=why)


def judge(task: ClassTask, answer: Sequence[str]) -> tuple[bool, ...]:
    """Whether each part of an answer is right: of a tree its words that are asked for, else the answer.

    Raises WorkbenchError where it is no answer to this task, with what to do.
    """
    if len(answer) != (len(task.right) if task.kind == TREE else 1) or not all(
        isinstance(part, str) for part in answer
    ):
        raise WorkbenchError("this is no answer to this task; load the page again")
    if task.kind == TREE:
        return tuple(given == right for given, right in zip(answer, task.right, strict=True) if right)
    if task.kind == CELL:
        return (_is_close(answer[0], task.right[0]),)
    return (_mends(task, answer[0]) if task.kind == CONSTRAINT else answer[0] in task.right,)


def share_of(parts: Iterable[bool]) -> float:
    """The share that is right; 1 where nothing is asked for."""
    parts = list(parts)
    return sum(parts) / len(parts) if parts else 1.0


def _as_number(text):
    """(value, half a unit of its last place) of a number as it is written here or typed; None for none."""
    text = text.strip().replace(MINUS, "-").replace(",", ".").replace("∞", "inf")
    share, text = text.endswith("%"), text.removesuffix("%").strip()
    try:
        value = float(text)
    except ValueError:
        return None
    half = 0.5 * 10.0 ** -len(text.partition(".")[2])
    return (value / 100, half / 100) if share else (value, half)


def _is_close(answer, right):
    given, wanted = _as_number(answer), _as_number(right)
    if given is None:
        raise WorkbenchError(f"{answer[:20]!r} is no number; type one, such as 7.5, -3 or -inf")
    assert wanted is not None
    # a value with more places than are shown is right where it is rounded to them
    return given[0] == wanted[0] or abs(given[0] - wanted[0]) <= wanted[1] * 1.000001


def _mends(task, line):
    """Whether a constraint speaks for the right arc and not for the wrong one, or against the wrong one alone."""
    constraints = parse_constraints(line)
    if len(constraints) != 1:
        raise WorkbenchError("write one constraint, such as DET <- NOUN = 0.9")
    head, modifier, wrong, _ = map(int, task.right)
    column = "upos" if any(task.tags[1:]) else None
    words = {"forms": list(task.words[1:])} | ({"upos": list(task.tags[1:])} if column else {})
    arcs = Matcher(Treebank.from_sentences([words]), column).match(constraints).of(0)
    side, constraint = len(task.words), constraints[0]
    has = {arc: arc[0] * side + arc[1] in arcs for arc in ((head, modifier), (wrong, modifier))}
    if constraint.low >= LEAST_FAVOURED:
        return has[head, modifier] and not has[wrong, modifier]
    return _is_against(constraint) and has[wrong, modifier] and not has[head, modifier]


def _is_against(constraint: Constraint):
    return constraint.high < LEAST_FAVOURED


def verdict(task: ClassTask, answer: Sequence[str], rules: AnswerRules, last: bool) -> dict:
    """What is said of an answer, as JSON values: "parts", "right" and "why", as far as the feedback goes.

    ``last`` says that there is no try left. What is right is said once it is found, or there is no try left.
    """
    if rules.feedback in (NONE, SHARE):
        return {}
    parts = judge(task, answer)
    said: dict = {"parts": list(parts)}
    if rules.feedback == ANSWER and (last or all(parts)):
        why = (
            task.why
            if task.kind != TREE
            else [reason for reason, known in zip(task.why, parts, strict=True) if not known]
        )
        said |= {"right": solution(task), "why": [*filter(None, why)]}
    return said


def solution(task: ClassTask) -> str:
    """The right answer in words."""
    if task.kind != TREE:
        return "a constraint that the right arc alone matches" if task.kind == CONSTRAINT else listed(task.right)
    parts = ((m, *right.partition(" ")[::2]) for m, right in enumerate(task.right, start=1) if right)
    return "; ".join(
        f"{numbered(task.words, m)} ← {numbered(task.words, int(head))}{f', {label}' if label else ''}"
        for m, head, label in parts
    )
