"""Files in and out: constraint files, ours, MALLET's and tables; and the parser of a run, as weights and for spaCy."""

import csv
import io
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from core.constraints import ConstraintDocument, Matcher, Problem, format_csv, format_mallet, parse_csv, parse_mallet
from core.constraints.language.changes import compare_sets
from core.constraints.language.constraint import line_text
from core.errors import ConstraintError, WorkbenchError
from core.files.tables import separated, unescape_formula
from core.parsers.protocols import SavedParser
from core.rules.rule import Rule, format_rules
from core.store import Corpus, Entry, Run, Store
from core.workspace.constraints.constraint_set import save_text
from core.workspace.constraints.pipeline import spacy_bytes
from core.workspace.corpora import uploaded_text
from core.workspace.system import File, file_bytes
from core.workspace.workspace import Workspace

TITLES = {"ours": "constraint file", "mallet": "MALLET’s notation", "csv": "table"}
LABELLED = re.compile(r"\S+(\s+[^\s:=]+:[\d.,eE+-]+)+|\d+(\s+[\d.eE+-]+)+")  # MALLET's line, by name or by index
SEPARATORS = ",;\t"


@dataclass(frozen=True)
class ConstraintFile:
    """An uploaded file: ``document`` holds all of its lines, ``problems`` those of the unreadable ones."""

    name: str
    format: str
    document: ConstraintDocument
    problems: tuple

    @property
    def title(self) -> str:
        """The title of its format."""
        return TITLES[self.format]


@dataclass(frozen=True)
class ImportPlan:
    """The constraint set after the import of a file: its text, and the differences.

    ``added``, ``removed`` and ``changed`` are tuples of str, ``same`` counts constraints that stand already.
    """

    text: str
    added: tuple
    removed: tuple
    changed: tuple
    same: int


def read_constraint_file(name: str, data: bytes) -> ConstraintFile:
    """Read an uploaded file in whichever of the three formats it is.

    Parameters
    ----------
    name : str
    data : bytes

    Returns
    -------
    ConstraintFile
        Unreadable lines stay: unchanged in our own format, as comments in the others.

    Raises
    ------
    WorkbenchError : no text, no line, or a table whose header is not one.
    """
    name, text = uploaded_text(name, data)
    kind = _format_of(text)
    if kind == "ours":
        document = ConstraintDocument.from_text(text)
        problems = document.problems
    else:
        lines, problems = (_mallet_lines if kind == "mallet" else _csv_lines)(name, text)
        document = ConstraintDocument.from_text("".join(f"{line}\n" for line in lines))
    if not (document.constraints or problems):
        raise WorkbenchError(f"{name} has no constraints; write lines such as DET <- NOUN = 0.9")
    return ConstraintFile(name, kind, document, tuple(problems))


def plan_upload(text: str, file: ConstraintFile, replacing: bool = False) -> ImportPlan:
    """The ImportPlan for a set's text: with the file's lines added to it, or with the file in its place.

    A constraint that the set has already only changes its target there. All other lines are appended unchanged, with
    comments and unreadable lines. Adding a file twice changes nothing.
    """
    before = ConstraintDocument.from_text(text)
    after = file.document if replacing else _merged(before, file.document)
    changes = compare_sets(before.constraints, after.constraints)
    return ImportPlan(
        after.text,
        tuple(constraint.text for constraint in changes.added),
        tuple(constraint.text for constraint in changes.removed),
        tuple(f"{edit.old.text} → {edit.new.text.removeprefix(edit.new.name + ' = ')}" for edit in changes.changed),
        changes.kept,
    )


def apply_plan(store: Store, corpus: Corpus, plan: ImportPlan, file: ConstraintFile) -> Entry | None:
    """Make the planned text the set: one command, which can be undone."""
    return save_text(store, corpus, plan.text, f"importing {file.name}")


def export_constraints(text: str, kind: str, matcher: Matcher) -> tuple[str, list[str]]:
    """(text of the file, sentences on what its format cannot express) for a set's text; ``kind`` is of TITLES.

    Our own format is the text as it stands; the others hold the constraints that can be read.
    """
    if kind == "ours":
        return text, []
    constraints = ConstraintDocument.from_text(text).constraints
    if kind == "csv":
        return format_csv(constraints), []
    mallet, problems = format_mallet(constraints, matcher)
    return mallet, [problem.message for problem in problems]


def _merged(before, file):
    lines = [line.text for line in before.lines]
    standing = set(lines)
    places = {old.name: (k, old) for k, line in enumerate(before.lines) if (old := line.constraint) is not None}
    for line in file.lines:
        new = line.constraint
        match = None if new is None else places.pop(new.name, None)
        if new is None or match is None:
            lines += [line.text] if new is not None or line.text not in standing else []
            continue
        number, old = match
        if replace(old, comment="") != replace(new, comment=""):
            lines[number] = line_text(replace(new, comment=new.comment or old.comment))
    return ConstraintDocument.from_text("".join(f"{line}\n" for line in lines))


def _format_of(text):
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    if not lines:
        return "ours"
    header = re.split(f"[{SEPARATORS}]", lines[0].lower())
    if len(header) > 1 and "constraint" in [cell.strip(' "') for cell in header]:
        return "csv"
    return "mallet" if sum(bool(LABELLED.fullmatch(line.strip())) for line in lines) * 2 > len(lines) else "ours"


def _mallet_lines(name, text):
    lines, problems = [], []
    for number, line in enumerate(text.split("\n"), 1):
        try:
            lines += [line_text(constraint) for constraint in parse_mallet(line)]
        except ConstraintError as error:
            _keep_unread(name, number, line, error, lines, problems)
        else:
            if line.lstrip().startswith("#"):
                lines.append(line)
    return lines, problems


def _csv_lines(name, text):
    separator = max(SEPARATORS, key=text.split("\n", 1)[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    lines, problems, header = [], [], None
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if header is None:
                header = _row(row)
                parse_csv(header)  # says what is wrong with it
                continue
            try:
                lines += [line_text(constraint) for constraint in parse_csv(header + _row(row))]
            except ConstraintError as error:
                _keep_unread(name, reader.line_num, separator.join(row), error, lines, problems)
    except csv.Error as error:
        raise WorkbenchError(
            f"{name}, line {reader.line_num}: this is not a table of separated values: {error}; correct the quotes"
        ) from None
    except ConstraintError as error:
        raise WorkbenchError(f"{name}, {error}") from None
    return lines, problems


def _row(cells):
    return separated([unescape_formula(cell) for cell in cells], ())


def _keep_unread(name, number, line, error, lines, problems):
    message = re.sub(r"^line \d+(, column \d+)?: ", "", str(error))
    problems.append(Problem(number, error.column or 1, "error", message))
    lines.append(f"# line {number} of {name} cannot be read: {' '.join(line.split())}")


NPZ_RECIPE = """from core.parsers import load_parser
from core.treebank import read_treebank, write_conllu
write_conllu(load_parser("{name}.npz").parse(read_treebank("tagged.conllu")), "parsed.conllu")
"""


def parser_name(run: Run) -> str:
    """The name of the files of a run's parser, without ending."""
    return f"{run.kind}-parser-{run.id}"


def npz_recipe(run: Run) -> str:
    """Three lines of Python that use the file of weights."""
    return NPZ_RECIPE.format(name=parser_name(run))


def weights_file(run: Run, parser: Callable[[], SavedParser]) -> File:
    """The parser of a finished Run as a file of weights, for ``core.parsers.load_parser`` and ``parse --model``."""
    return File("Parser, weights", f"{parser_name(run)}.npz", lambda: file_bytes(parser()))


def pipeline_file(
    workspace: Workspace, corpus: Corpus, run: Run, parser: Callable[[], SavedParser], rules: Sequence[Rule] = ()
) -> File:
    """The parser of a finished Run on a Corpus as a spaCy pipeline that takes raw text, and whose trees keep rules."""
    name = parser_name(run)

    def data() -> bytes:
        return spacy_bytes(workspace, corpus, run, parser(), name, rules)

    return File("Parser, spaCy pipeline", f"{name}.zip", data)


def parser_files(workspace: Workspace, corpus: Corpus, run: Run, parser: Callable[[], SavedParser]) -> tuple[File, ...]:
    """The ``weights_file`` of a finished Run on a Corpus, and its ``pipeline_file``."""
    return weights_file(run, parser), pipeline_file(workspace, corpus, run, parser)


def rules_file(run: Run, rules: Sequence[Rule]) -> File:
    """Rules as the text of a file, for ``parse --rules`` beside the ``weights_file``."""
    return File("Rules, text", f"{parser_name(run)}-rules.txt", lambda: format_rules(list(rules)))


def ruled_recipe(run: Run) -> str:
    """The command that parses with both files."""
    name = parser_name(run)
    return f"python -m core parse tagged.conllu --model {name}.npz --rules {name}-rules.txt --out parsed.conllu\n"
