"""Every error that the workbench raises on purpose: one family, so that a page catches one name.

A message is one sentence that says what is wrong, where, and what to do about it.
"""

LONGEST_QUOTE, LONGEST_MESSAGE = 80, 1000  # characters


def quoted(text: object, most: int = LONGEST_QUOTE) -> str:
    """Input or a foreign message as messages may quote it: one line of at most ``most`` characters, none of control."""
    text = str(text)[: 2 * LONGEST_MESSAGE]
    line = " ".join("".join(character if character.isprintable() else " " for character in text).split())
    return line if len(line) <= most else line[: most - 1] + "…"


def at_sentence(sentence: int | None) -> str:
    """The beginning of a message about a sentence of a corpus, as in ``sentence 3: ``; "" for None, a single one."""
    return "" if sentence is None else f"sentence {sentence}: "


class WorkbenchError(ValueError):
    """Base of all errors that a user can cause and mend. Its message is one line, whatever it quotes."""

    def __init__(self, message: object = ""):
        super().__init__(quoted(message, LONGEST_MESSAGE))


class FormatError(WorkbenchError):
    """A file or text is not what it should be; says file, line, sentence and word where known.

    ``path`` may be an open file: one that has no name is not named.
    """

    def __init__(
        self, message: str, *, path: object = None, line: int | None = None, sentence: int | str | None = None,
        word: int | None = None,
    ):  # fmt: skip
        self.message, self.path, self.line, self.sentence, self.word = message, path, line, sentence, word
        numbers = {"line": line, "sentence": sentence, "word": word}
        parts = ["" if path is None or hasattr(path, "read") else str(path)]
        parts += [f"{name} {number}" for name, number in numbers.items() if number is not None]
        location = ", ".join(filter(None, parts))
        super().__init__(f"{location}: {message}" if location else message)


class LexiconError(WorkbenchError):
    """Nothing can be learnt from a list of words and a text."""


class ScoreShapeError(WorkbenchError):
    """An array of scores has the wrong shape, or holds NaN or +inf."""


class InfeasibleError(WorkbenchError):
    """No tree is left: every one uses a forbidden arc. ``sentence`` is its index in a packed corpus."""

    def __init__(self, message: str, *, sentence: int | None = None):
        self.sentence = sentence
        super().__init__(message)


class NumericalError(WorkbenchError):
    """A result failed its own check."""


class ConstraintError(WorkbenchError):
    """A constraint cannot be read or used; ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None):
        self.line, self.column = line, column
        location = f"line {line}" + (f", column {column}" if column is not None else "") if line is not None else ""
        super().__init__(f"{location}: {message}" if location else message)


class StoreError(WorkbenchError):
    """The project store refuses: missing, locked, read-only, full, or of another version."""


class Cancelled(Exception):
    """Raised inside a computation whose ``cancel`` callback returned true; not an error of the user's."""


def unexpected(kind: str) -> str:
    """The sentence about a job that an unexpected error has ended, for the person who started it."""
    return f"The computation stopped unexpectedly ({kind}); the server's log says where"
