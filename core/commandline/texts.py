"""What the commands read: treebanks, folders of shards, brackets, constraints; and where the work is done."""

import os
from argparse import ArgumentParser, Namespace
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from core.commandline.reports import every_second, shards_done
from core.constraints.authoring.spreadsheet import parse_csv
from core.constraints.authoring.word_order import doubtful_answers, parse_order
from core.constraints.language.constraint import format_constraints
from core.constraints.matching.check import ConstraintSet
from core.constraints.matching.matcher import choose_tag_column
from core.errors import ConstraintError, FormatError, WorkbenchError
from core.evaluation import attachment_scores
from core.evaluation.learnt import has_heads, learnt_sentences, without_trees_of
from core.languages import language_code
from core.languages.contractions import USUAL, parse_contractions
from core.markup.comments import treebank_brackets
from core.shards.folder import Shards, is_folder
from core.treebank import Treebank, guess_format, read_treebank
from core.treebank.formats import PLAIN
from core.treebank.language import stated_language, text_language
from core.treebank.source import load_bytes
from core.treebank.writing import writer_of
from core.treebank.written_back import BACK_WRITERS, write_into
from core.trees.brackets import Bracket
from core.workspace.scoring import ScoreConditions
from core.workspace.wording import all_learnt, amount

if TYPE_CHECKING:
    from core.shards.engine import Engine

EMPTY: Mapping = MappingProxyType({})


@contextmanager
def engine_of(options: Namespace, text: object = None) -> Iterator["Engine"]:
    """Where the work is done: here for a ``text`` in memory. Raises WorkbenchError where no cluster answers."""
    from core.shards.engine import CLUSTER, Cluster, LocalEngine, Reporting

    progress = every_second(options.progress, shards_done)
    address = options.cluster or (None if options.workers else os.environ.get(CLUSTER))
    if isinstance(text, Treebank) or not (options.workers or address):
        yield Reporting(LocalEngine(), progress)
        return
    with Cluster(address, options.workers) as cluster:
        yield Reporting(cluster, progress)


def refuse_engine(options: Namespace, path: str | Path) -> None:
    """WorkbenchError for ``--workers`` and ``--cluster`` where there is but one file."""
    if options.workers or options.cluster:
        raise WorkbenchError(f"{path} is no folder of shards; leave out --workers and --cluster, or give one")


def read(path: str | Path, options: Namespace, **reader: Any) -> Treebank:
    """Read a treebank file and apply the reader options in their fixed order.

    What its reader changed, or is not sure of, is said at once.
    """
    file, name = readable(path), options.format
    if name == "auto":
        data, plain, _ = load_bytes(file)
        try:
            name = guess_format(data, options.encoding, plain)
        except FormatError as error:
            raise FormatError(error.message, path=file, line=error.line) from None
    reader = _reader_options(path, name, options, reader)
    treebank = read_treebank(path, format=name, encoding=options.encoding, **reader)
    for note in treebank.source.notes:
        options.progress(f"warning: {path}: {note}")
    if options.no_punctuation and name != "mrg":
        treebank = treebank.without_punctuation()
    if options.max_length:
        treebank = treebank.max_length(options.max_length)
    if options.limit:
        treebank = treebank.limit(options.limit)
    treebank = with_enhanced(treebank, options)
    if not len(treebank):
        is_cut = options.max_length or options.no_punctuation
        left = "is left after --max-length and --no-punctuation; relax them" if is_cut else "is in it; choose another"
        raise WorkbenchError(f"{path}: no sentence {left}")
    return treebank


def _reader_options(path, name, options, reader):
    """What the reader of a format takes of a command's options."""
    language = None if options.language is None else language_code(options.language)  # raises, whatever the format
    if name not in ("mrg", "conll2012"):
        reader.pop("rules", None)
    if options.writing_system and name != "flextext":
        raise WorkbenchError(f"{path} is no FLEx text, which alone has writing systems; leave --writing-system out")
    if options.writing_system:
        reader["writing_system"] = options.writing_system
    if getattr(options, "tier", None) and name != "elan":
        raise WorkbenchError(f"{path} is no ELAN file, which alone has tiers; leave --tier out")
    if name == "elan":
        reader |= {"language": language, "tiers": getattr(options, "tier", None)}
    if name in PLAIN:
        reader |= {"language": language, "join_hyphens": not options.keep_hyphens}
        reader["contractions"] = _contractions(options.contractions)
    if options.no_punctuation and name == "mrg":
        reader["punctuation"] = False  # pruned before heads are sought
    return reader


def _contractions(choice):
    """What ``read_text`` takes: the table of the file of ``--contractions``, None, or the tables that ship."""
    if choice is None or choice == "none":
        return USUAL if choice is None else None
    text = read_text(choice)
    if not parse_contractions(text, choice):
        raise WorkbenchError(f"{choice} has no contraction; write lines such as del = de el, or give none")
    return text


def language_of(text: Treebank, options: Namespace) -> str:
    """The code of a text's language: ``--language``, else what its comments say or a sure guess, else UNKNOWN."""
    return named_language(text, options) or text_language(text).answer


def named_language(text: Treebank, options: Namespace) -> str | None:
    """The code of the language that ``--language`` or else a text's comments name; None where nothing does."""
    return stated_language(text) if options.language is None else language_code(options.language)


def warning_lines(text: Treebank | Shards) -> list[str]:
    """Lines on what is odd about a text, but for what was said when it was read."""
    if isinstance(text, Shards):
        return []
    return [f"warning: {warning}" for warning in text.warnings if warning not in text.source.notes]


def add_enhanced(command: ArgumentParser) -> None:
    """The options ``--keep-enhanced`` and ``--drop-enhanced``, which ``with_enhanced`` heeds."""
    choice = command.add_mutually_exclusive_group()
    choice.add_argument("--keep-enhanced", action="store_true",
                        help="bring enhanced dependencies (DEPS, empty nodes) along where trees change: the copy of a "
                        "basic arc changes with it, the others stay (default: they are left out of sentences whose "
                        "tree changes)")  # fmt: skip
    choice.add_argument("--drop-enhanced", action="store_true", help="leave them out of all sentences")


def with_enhanced(treebank: Treebank, options: Namespace) -> Treebank:
    """The treebank, whose enhanced dependencies stay or go as the options say."""
    if getattr(options, "keep_enhanced", False):
        return treebank.keeping_graphs()
    return treebank.without_graphs() if getattr(options, "drop_enhanced", False) else treebank


def add_into(command: ArgumentParser) -> None:
    """The option ``--into``, which ``write_out`` heeds."""
    command.add_argument("--into", metavar="FILE", help="write a copy of this ELAN or FLEx file, which the text was "
                         "read from: with tiers of words and trees; in FLEx with tags as pos, and the heads as a note, "
                         "of which FLEx makes no use")  # fmt: skip


def write_out(treebank: Treebank, options: Namespace, write: Callable[[Treebank, str], None]) -> list[str]:
    """Write ``--out``: a copy of the file of ``--into`` with the trees, whose notes are returned, or by ``write``."""
    require_out(options)
    if options.into:
        return write_into(readable(options.into), treebank, options.out)
    write(treebank, options.out)
    return []


def require_out(options: Namespace) -> None:
    """Raise WorkbenchError, before the work, where the ending of ``--out`` names a format that is not written so."""
    if options.into:
        return
    if suffix := next((each.suffix for each in BACK_WRITERS.values() if options.out.lower().endswith(each.suffix)), ""):
        raise WorkbenchError(f"a file {suffix} is a copy of another one with trees; name that one with --into")
    writer_of(options.out)


def say_dropped_graphs(written: Treebank, data: dict, lines: list[str]) -> None:
    """Add to a report of how many sentences the enhanced dependencies are left out."""
    count = sum(map(written.source.has_graph, written.picks[written.graphless].tolist()))
    if count:
        data |= {"enhanced_dropped": True, "enhanced_dropped_sentences": count}
        some = " UD has them in all sentences or in none:" if count < len(written) else ""
        lines.append(f"enhanced dependencies are left out of {amount(count, 'sentence')};{some} --keep-enhanced "
                     "brings them along, --drop-enhanced leaves out all")  # fmt: skip


def read_given(path: str | None, options: Namespace) -> Treebank | None:
    """The treebank of an option; None where that is not given."""
    return read(path, options) if path else None


def read_named(options: Namespace, *names: str) -> dict[str, Treebank]:
    """The treebanks of those of these options that are given, by their names."""
    return {name: read(path, options) for name in names if (path := getattr(options, name))}


def read_text_or_shards(
    path: str | Path, options: Namespace, of_files: Sequence[str] = ("no_punctuation", "limit")
) -> Treebank | Shards:
    """A folder of shards, for which options ``of_files`` are refused, or a treebank file as ``read`` reads it."""
    if not is_folder(path):
        refuse_engine(options, path)
        return read(path, options)
    refuse_of_files(options, *of_files)
    return Shards(path)


def refuse_of_files(options: Namespace, *names: str) -> None:
    """WorkbenchError where one of these options is given for shards."""
    left_out = {"format": "auto", "encoding": "utf-8", "scheme": "ud"}
    for name in names:
        if getattr(options, name, None) not in (None, False, left_out.get(name)):
            raise WorkbenchError(f"--{name.replace('_', '-')} is of files; leave it out for shards")


def any_length(options: Namespace) -> Namespace:
    """The options where ``--max-length`` is for training: text to score is read at all lengths."""
    return Namespace(**{**vars(options), "max_length": None})


def text_figures(text: Treebank | Shards, options: Namespace, scores: Mapping = EMPTY) -> dict:
    """What was scored, None where ``scores`` leave out all, and the size of the training text."""
    sizes = (text.sentences, text.words) if isinstance(text, Shards) else (len(text), text.token_count)
    return {"scored_on": scored_on(options, scores), "sentences": sizes[0], "tokens": sizes[1]}


def scored_on(options: Namespace, scores: Mapping = EMPTY) -> str | None:
    """The name of what is scored; None where all of it was learnt from, by ``scores_of``."""
    if "learnt_sentences" in scores and "uas" not in scores:
        return None
    return str(options.test) if options.test else "training text"


def scores_of(
    text: Treebank, taught: Sequence[Treebank], score: Callable[[Treebank], dict], is_named: bool = False
) -> dict:
    """What ``score(gold)`` says of a text under its own trees, but those of sentences that were learnt from.

    Parameters
    ----------
    text : Treebank
    taught : sequence of Treebank
        Whose trees were learnt from.
    score : callable
    is_named : bool
        Whether somebody asked for scores on just this text. Then all of it is scored if some of it was not learnt
        from, and ``unseen`` has the scores of that part.

    Returns
    -------
    dict
        With ``conditions`` in words, and ``learnt_sentences``, how many were learnt from, if any; nothing else if all.
    """
    known = has_heads(text)
    learnt = learnt_sentences(text, *taught) & known
    number = int(learnt.sum())
    if number == known.sum():
        return {"learnt_sentences": number} if number else score(text)
    told = ScoreConditions(sentences=int(known.sum()) - number, learnt=number, punctuation=True).basis
    if not number:
        return score(text) | {"conditions": told}
    unseen = score(without_trees_of(text, learnt)) | {"conditions": told}
    if not is_named:
        return unseen | {"learnt_sentences": number}
    told = ScoreConditions(sentences=int(known.sum()), punctuation=True).basis
    return score(text) | {"conditions": told, "learnt_sentences": number, "unseen": unseen}


def attachment(gold: Treebank, parsed: Treebank, is_labelled: bool = True) -> dict:
    """A ``score`` for ``scores_of``: of all words, and ``without_punctuation``; without LAS unless ``is_labelled``."""
    left_out = () if is_labelled else ("las", "label_accuracy")
    both = (attachment_scores(gold, parsed, punctuation=scored).as_dict() for scored in (True, False))
    every, without = ({name: value for name, value in scores.items() if name not in left_out} for scores in both)
    return every | {"without_punctuation": without}


def beside(scores: Mapping) -> dict:
    """A row for a table: scores of ``attachment``, with the UAS without punctuation as ``bare``."""
    return {**scores, "bare": scores.get("without_punctuation", EMPTY).get("uas")}


def scores_said(data: dict) -> list[str]:
    """Lines that say what a report's scores, of ``scores_of``, are of, and what was learnt from."""
    learnt = data.get("learnt_sentences", 0)
    if data.get("uas") is None:
        return [f"no score: {all_learnt(learnt)}; --test scores on other sentences"] if learnt else []
    lines = [f"scored {data['conditions']}"]
    if unseen := data.get("unseen"):
        rest = f"without them UAS {unseen['uas']:.1f}% of {amount(unseen['words'], 'word')}"
        lines.append(f"warning: {amount(learnt, 'sentence')} of {data['scored_on']} were learnt from too; {rest}")
    return lines


def order_doubts(text: Treebank, options: Namespace, data: dict) -> list[str]:
    """Lines on answers of ``--order`` that the text, or other answers, speak against; ``data`` has them too."""
    answers = parse_order(getattr(options, "order", None) or "")
    data["doubts"] = list(doubtful_answers(text, answers, "upos" if text.upos.filled else None).values())
    return [f"warning: {sentence}" for sentence in data["doubts"]]


def warn_of_learnt(
    data: dict, test: Treebank, *taught: Treebank, teaches: Callable[[Treebank], np.ndarray] = has_heads
) -> str:
    """A line, or "", on sentences of a test text that were learnt from and are scored; ``data`` counts them.

    ``teaches`` says which sentences of a text can be learnt from and scored, bool (S,).
    """
    if not (count := int((learnt_sentences(test, *taught, teaches=teaches) & teaches(test)).sum())):
        return ""
    data["learnt_sentences"] = count
    return (
        f"\nwarning: {amount(count, 'sentence')} of {data['scored_on']} were learnt from too, which makes scores higher"
    )


def not_scored(learnt: int) -> str:
    """Says that so many sentences were learnt from."""
    return f"not scored: {amount(learnt, 'sentence')} whose trees were learnt from"


def brackets_of(text: Treebank | Shards, options: Namespace) -> list[list[Bracket]] | None:
    """The brackets of each sentence of FILE, None for shards, which have their own; WorkbenchError if it has none."""
    brackets = None if isinstance(text, Shards) else treebank_brackets(text)
    if not any((row["brackets"] for row in text.rows) if isinstance(text, Shards) else brackets or ()):
        raise WorkbenchError(f"{options.file}: no sentence has a # markup comment; make some with markup extract")
    return brackets


def readable(path: str | Path) -> Path:
    """The path of a file that exists, else a WorkbenchError."""
    if is_folder(path):
        raise WorkbenchError(f"{path} is a folder of shards, and this reads a file; give one")
    if not Path(path).is_file():
        raise WorkbenchError(f"there is no file {path}; check the name")
    return Path(path)


def read_text(path: str | Path) -> str:
    """A small text file, packed or not, in UTF-8, or in UTF-16 with a byte-order mark; that is no part of the text."""
    data = load_bytes(readable(path))[0]
    encoding = "utf-16" if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) else "utf-8-sig"
    try:
        return data.decode(encoding).replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise WorkbenchError(f"{path}: byte {error.start} is not UTF-8; save the file as UTF-8") from error


def _constraint_text(path):
    """The text of a file of constraints; one that is called a table is read as the page Constraints reads it."""
    if Path(path).suffix.lower() not in (".csv", ".tsv"):
        return read_text(path)
    try:
        return format_constraints(parse_csv(read_text(path)))
    except ConstraintError as error:
        raise ConstraintError(f"{path}: {error}") from error


def read_constraints(path: str | None, text: Treebank | Shards | None, options: Namespace) -> ConstraintSet:
    """The lines of a file, for a text; none without a path. Raises ConstraintError with file and line.

    Without ``--tags`` the options say from then on which column they speak of.
    """
    if not path:
        return ConstraintSet("")
    lines = ConstraintSet(_constraint_text(path), text if isinstance(text, Treebank) else None, options.tags)
    try:
        constraints = lines.required()
    except ConstraintError as error:
        raise ConstraintError(f"{path}: {error}") from error
    if lines.matcher is not None:
        options.tags = lines.matcher.tags
    elif text is not None:
        options.tags = choose_tag_column(constraints, text, options.tags)
    return lines
