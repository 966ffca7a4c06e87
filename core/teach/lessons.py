"""Lesson files: stops with a sentence, an algorithm, a step and the teacher's notes, as JSON that opens anywhere.

    {"format": "parser workbench lesson 1", "title": "...", "about": "...",
     "stops": [{"title": "...", "algorithm": "eisner", "sentence": "she saw him", "step": 4, "notes": "...",
                "scores": "1 9 0; - 2 0; 6 - 7; 0 1 -", "single_root": true, "minutes": 2}]}

Only ``algorithm`` and ``sentence`` of a stop are needed. Words are separated by spaces, and may have universal tags
(``she/PRON saw/VERB``). ``scores`` are written as ``core.teach.scores`` does, and a stop without them takes those of
the workbench's English parser. What brings two sentences to agree has the other one as ``second``, and takes no scores;
without it the stop shows the built-in example, and names that.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from core.errors import FormatError, WorkbenchError
from core.files.assets import ASSETS
from core.teach.algorithms import algorithm_named
from core.teach.scores import parse_scores
from core.treebank.punctuation import UNIVERSAL

FORMAT = "parser workbench lesson 1"
FOLDER = ASSETS / "lessons"
LARGEST = 1_000_000  # characters of a file
MOST_STOPS = 200


@dataclass(frozen=True, slots=True)
class Stop:
    """One place of a lesson. ``step`` counts from 1; ``scores`` is ``""`` for the parser's, ``moves`` for the
    algorithm's own."""

    algorithm: str
    sentence: str
    title: str = ""
    step: int = 1
    notes: str = ""
    scores: str = ""
    single_root: bool = True
    constraint: str = ""
    minutes: float = 0.0
    moves: str = ""
    second: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """(n + 1,): ``""`` for the root, then the words."""
        return split_words(self.sentence)[0]


@dataclass(frozen=True, slots=True)
class Lesson:
    """A title, what it is about, and its stops in order."""

    title: str
    about: str = ""
    stops: tuple = ()

    @property
    def minutes(self) -> int:
        """Minutes of all stops that name some."""
        return sum(stop.minutes for stop in self.stops)


def split_words(sentence: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(("", word, ...), tags): words are what stands between spaces.

    Tags are universal ones behind a stroke, ``the/DET old/ADJ man/NOUN``; empty where not all words have one. Raises
    WorkbenchError if there is no word.
    """
    words = [word for word in sentence.replace("\n", " ").replace("\t", " ").split(" ") if word]
    if not words:
        raise WorkbenchError("there is no word yet; type a sentence, its words separated by spaces")
    pairs = [word.rpartition("/") for word in words]
    if all(word and tag in UNIVERSAL for word, _, tag in pairs):
        return ("", *(word for word, _, _ in pairs)), ("", *(tag for _, _, tag in pairs))
    return ("", *words), ()


def joined_words(words: Sequence[str], tags: Sequence[str] = ()) -> str:
    """The sentence that ``split_words`` takes apart; a space within a word becomes one that does not break."""
    tags = [f"/{tag}" for tag in tags[1:]] or [""] * (len(words) - 1)
    return " ".join(word.replace(" ", "\u00a0") + tag for word, tag in zip(words[1:], tags, strict=True))


def format_lesson(lesson: Lesson) -> str:
    """The lesson as JSON text; ``parse_lesson`` reads it."""
    defaults = asdict(Stop("", ""))
    stops = []
    for stop in lesson.stops:
        values = asdict(stop)
        stops.append({name: value for name, value in values.items() if value != defaults[name] or name == "step"})
    whole = {"format": FORMAT, "title": lesson.title, "about": lesson.about, "stops": stops}
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def parse_lesson(text: str | bytes, path: str | None = None) -> Lesson:
    """The Lesson that a file holds.

    Parameters
    ----------
    text : str or bytes
    path : str, optional
        The file's name, for messages.

    Raises
    ------
    FormatError : no JSON, no lesson of this kind, or a stop that cannot be shown; says which stop and what to mend.
    """
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise FormatError(
                "this is not text in UTF-8; choose a lesson file that was saved here", path=path
            ) from None
    if len(text) > LARGEST:
        raise FormatError(f"a lesson has at most {LARGEST:,} characters, this file has {len(text):,}", path=path)
    try:
        whole = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        line = getattr(error, "lineno", None)
        raise FormatError("this is not JSON; choose a lesson file, or correct it here", path=path, line=line) from None
    if not isinstance(whole, dict) or whole.get("format") != FORMAT:
        raise FormatError(f'this is not a lesson; it must begin with "format": "{FORMAT}"', path=path)
    stops = whole.get("stops")
    if not isinstance(stops, list) or not 1 <= len(stops) <= MOST_STOPS:
        raise FormatError(f'"stops" must be a list of 1 to {MOST_STOPS} stops', path=path)
    title, about = (_text(whole, name, "the lesson", path) for name in ("title", "about"))
    return Lesson(title or "A lesson", about, tuple(_stop(stop, k, path) for k, stop in enumerate(stops, start=1)))


def _stop(values, number, path):
    where = f"stop {number}"
    if not isinstance(values, dict):
        raise FormatError(f'{where} must be {{"algorithm": ..., "sentence": ..., "step": ...}}', path=path)
    unknown = sorted(set(values) - set(Stop.__slots__))
    if unknown:
        raise FormatError(f"{where} has {unknown[0]!r}, which no stop has; use {', '.join(Stop.__slots__)}", path=path)
    texts = {name: _text(values, name, where, path) for name in
             ("algorithm", "sentence", "title", "notes", "scores", "constraint", "moves", "second")}  # fmt: skip
    step, minutes, single_root = values.get("step", 1), values.get("minutes", 0.0), values.get("single_root", True)
    if type(step) is not int or step < 1:
        raise FormatError(f'{where}: "step" must be a whole number from 1, got {step!r}', path=path)
    if type(minutes) not in (int, float) or not 0 <= minutes <= 1000:
        raise FormatError(f'{where}: "minutes" must be a number from 0 to 1000, got {minutes!r}', path=path)
    if type(single_root) is not bool:
        raise FormatError(f'{where}: "single_root" must be true or false, got {single_root!r}', path=path)
    stop = Stop(**texts, step=step, single_root=single_root, minutes=float(minutes))
    try:
        algorithm, words = algorithm_named(stop.algorithm), stop.words
        algorithm.require_length(len(words) - 1)
        if algorithm.pairing is not None:
            return _of_two(stop, algorithm)
        if stop.second:
            raise WorkbenchError(f"{algorithm.name} shows one sentence; leave out the second one")
        if stop.scores:
            parse_scores(stop.scores, len(words) - 1)
    except WorkbenchError as error:
        raise FormatError(f"{where}: {error}", path=path) from None
    return stop


def _of_two(stop, algorithm):
    """A stop that names the two sentences that it shows."""
    if not stop.second:
        sentence, second = algorithm.pairing.example
        return replace(stop, sentence=sentence, second=second, scores="")
    algorithm.require_length(len(split_words(stop.second)[0]) - 1)
    return replace(stop, scores="")


def _text(values, name, where, path):
    value = values.get(name, "")
    if not isinstance(value, str):
        raise FormatError(f'{where}: "{name}" must be text, got {value!r}', path=path)
    return value


def shipped_lessons() -> dict[str, Lesson]:
    """Name -> Lesson of those that come with the workbench, in alphabetical order."""
    return {
        path.stem: parse_lesson(path.read_text(encoding="utf-8"), path.name) for path in sorted(FOLDER.glob("*.json"))
    }
