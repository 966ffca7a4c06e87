"""Answers of a page that has no server, as a code to be sent and pasted: JSON in letters of addresses, and a checksum.

eyJ...In19.1f2e3d4c
"""

import base64
import binascii
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass

from core.errors import WorkbenchError

LONGEST = 200_000  # letters of a code
MOST = 400  # tries in one


@dataclass(frozen=True, slots=True)
class AnswerCode:
    """What a code says.

    Attributes
    ----------
    exercise : str
        Which exercise was answered (``core.teach.exercise_page.name_of``).
    key : str
        Of one opened page: who pastes a later code of it adds to the former one.
    name : str
        As it was typed.
    tries : tuple of (task from 0, tuple of str)
        In order.
    """

    exercise: str
    key: str
    name: str
    tries: tuple[tuple[int, tuple[str, ...]], ...]


def write_code(answers: AnswerCode) -> str:
    """The code, which ``read_code`` reads; the page's script writes the same."""
    tries = [[task, list(answer)] for task, answer in answers.tries]
    values = {"exercise": answers.exercise, "key": answers.key, "name": answers.name, "tries": tries}
    data = json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode()
    return f"{base64.urlsafe_b64encode(data).decode().rstrip('=')}.{zlib.crc32(data):08x}"


def read_code(code: str) -> AnswerCode:
    """The answers of a code. Raises WorkbenchError where it is none, or not whole."""
    code = "".join(code.split())
    body, dot, checksum = code.rpartition(".")
    if not dot or len(code) > LONGEST:
        raise WorkbenchError("this is no code of answers; copy all of it from the page of the exercise")
    try:
        data = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
        if f"{zlib.crc32(data):08x}" != checksum:
            raise ValueError
        values = json.loads(data)
        tries = tuple((task, _strings(answer)) for task, answer in values["tries"])
        exercise, key, name = _strings([values[field] for field in ("exercise", "key", "name")])
    except (ValueError, KeyError, TypeError, RecursionError, binascii.Error):
        raise WorkbenchError("this code is not whole, or was changed; copy it from the page once more") from None
    if len(tries) > MOST or any(type(task) is not int for task, _ in tries):
        raise WorkbenchError("this code holds more than anybody can have answered; copy it from the page once more")
    return AnswerCode(exercise, key, name, tries)


def _strings(values: Sequence) -> tuple[str, ...]:
    """The strings as a tuple. Raises TypeError where one is none."""
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise TypeError
    return tuple(values)
