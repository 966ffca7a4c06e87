"""An exercise as one web page for a class: served by the app, or as a file that needs no server.

A served page is judged by the server and holds no answer. A file judges by itself, but for constraints, and so holds
what is right; with the feedback "none" it holds nothing of it. Words are data of the page, never its source: the
page's own policy allows its constant script and style sheet alone.
"""

import json
from collections.abc import Sequence
from hashlib import sha256
from html import escape

from core.teach.exercise import CONSTRAINT, NONE, AnswerRules, ClassTask, solution
from core.teach.web_page import framed_page, packed


def name_of(link: str) -> str:
    """What the codes of a file call its exercise: nothing that leads to its link."""
    return sha256(link.encode()).hexdigest()[:16]


def exercise_page(
    title: str, tasks: Sequence[ClassTask], rules: AnswerRules, ends: str, name: str = ""
) -> tuple[bytes, str]:  # fmt: skip
    """(the page in UTF-8, its policy); a file where it has a ``name``, else one that asks its server.

    ``ends`` says until when it is open.
    """
    data = {"tries": rules.tries, "feedback": rules.feedback, "name": name, "ends": ends,
            "tasks": [_values(task, rules if name else None) for task in tasks]}  # fmt: skip
    parts = {"title": escape(title), "data": packed(json.dumps(data, ensure_ascii=False))}
    return framed_page("exercise", ("page", "exercise"), parts, "'none'" if name else "'self'")


def _values(task, judged_by):
    """What the page holds of a task; ``judged_by`` are the AnswerRules of a page that judges by itself."""
    values = {
        "kind": task.kind, "asks": task.asks, "options": task.options, "words": task.words[1:], "tags": task.tags[1:],
        "said": task.said, "picture": task.picture, "table": task.table, "given": task.given,
        "asked": [bool(right) for right in task.right] if task.kind == "tree" else [],
    }  # fmt: skip
    if judged_by is not None and judged_by.feedback != NONE and task.kind != CONSTRAINT:
        values |= {"right": task.right, "solution": solution(task), "why": task.why}
    return values
