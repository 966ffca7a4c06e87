"""``corpus validate``: what is wrong with the files of a treebank, with the test names of UD's validator."""

import re
from argparse import Namespace
from collections import Counter
from collections.abc import Sequence
from functools import partial

from core.annotation.label_inventories import LabelInventories
from core.annotation.language_lists import LanguageLists
from core.annotation.ud_files import LEVELS, CheckedFiles, PlacedFault, check_files, files_of
from core.annotation.validation import lacking, validate
from core.commandline import texts
from core.commandline.options import READS, Commands, add_command
from core.commandline.reports import Report, table
from core.commandline.ruling import add_rules, rules_for
from core.commandline.values import positive
from core.errors import FormatError, WorkbenchError
from core.languages import language_code
from core.treebank import guess_format
from core.treebank.source import load_bytes

CONLLU = "conllu"
LINE = re.compile(rb"^(# sent_id = .*\n(?:#.*\n)*)?1\t(?:[^\t\n]*\t){8}[^\t\n]*$", re.MULTILINE)
NO_SENTENCE = "empty-sentence"  # UD's test of blank lines, which belong to no sentence
OF_READING = ("max_length", "limit", "no_punctuation")  # after these a text is not its file any more


def add_validate(actions: Commands) -> None:
    """Add ``corpus validate``."""
    command = add_command(
        actions, "validate", "what is wrong with trees, tags and relations, word by word", run_validate, READS
    )
    command.description = (
        "Exit code 0: no faults; 1: faults; 2: no such file, or none that can be read. Files of CoNLL-U are checked "
        "line by line, also those with sentences that no reader takes; sent_ids must differ in all of them together."
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="a file, or a folder with files .conllu")
    command.add_argument(
        "--level",
        type=int,
        choices=LEVELS,
        help="only tests of UD’s validator, up to this level",
    )
    command.add_argument("--rosters", metavar="FILE", help="treebank whose relations, tags and features are right")
    command.add_argument("--lang", dest="language", metavar="L", help="the same as --language")
    command.add_argument("--ud-data", metavar="FOLDER", help="data folder of UD's tools, for the lists of --language")
    add_rules(command, "a file of rules that trees are to keep too")
    command.add_argument("--most", type=positive, default=50, metavar="N", help="show so many (default: 50)")


def run_validate(options: Namespace) -> Report:
    """Faults of a treebank by the rules of trees, of its own rosters and, where it is universal, of UD."""
    given = texts.read_given(options.rosters, options)
    rosters = None if given is None else LabelInventories.of(given)
    paths, lists = files_of(options.files), _language_lists(options)
    changed = any(getattr(options, name, None) for name in OF_READING) or options.encoding != "utf-8"
    contents = [] if changed else [_content(path, options) for path in paths]
    if contents and all(is_conllu for _, is_conllu in contents):
        files = [(path, data) for path, (data, _) in zip(paths, contents, strict=True)]
        own = partial(rules_for, options=options)
        checked = check_files(files, level=options.level, lists=lists, inventories=rosters, rules=own)
        return _report(options, checked, ())
    if len(paths) > 1:
        raise WorkbenchError("several files are checked together only as they are, and as CoNLL-U; give one file")
    return _of_text(paths[0], options, rosters, lists)


def _content(path, options):
    """(bytes of a file, whether they are CoNLL-U)."""
    data, name, _ = load_bytes(texts.readable(path))
    if options.format != "auto":
        return data, options.format == CONLLU
    if name.endswith(".conllu") or LINE.search(data):
        return data, True
    try:
        return data, guess_format(data, options.encoding, name) == CONLLU
    except FormatError as error:
        raise FormatError(error.message, path=path, line=error.line) from None


def _of_text(path, options, rosters, lists):
    """The Report on a text that is read first: in another format, or changed by options of reading."""
    treebank = texts.read(path, options)
    if (treebank.heads < 0).all() and options.format == "auto":
        raise WorkbenchError(f"{path} has no trees to be checked; give a treebank, or name its format with --format")
    rosters = rosters or LabelInventories.of(treebank)
    faults = [
        PlacedFault(path, 0, int(treebank.picks[index]) + 1, treebank[index].sent_id or "",
                    treebank[index].forms[fault.word], fault)
        for index, fault in validate(treebank, rosters, lists, rules_for(treebank, options))
    ]  # fmt: skip
    return _report(options, CheckedFiles(len(treebank), rosters.universal, faults), tuple(lacking(treebank)))


def _report(options, checked: CheckedFiles, without: Sequence[str]) -> Report:
    faults = [one.fault for one in checked.faults]
    wrong = [one for one in checked.faults if not one.fault.note]
    data = {
        "sentences": checked.sentences,
        "faulty": len({(one.path, one.sentence) for one in wrong if one.sentence and one.fault.test != NO_SENTENCE}),
        "universal": checked.universal,
    }
    for name, are_notes in (("kinds", False), ("notes", True)):
        data[name] = dict(Counter(fault.kind for fault in faults if fault.note is are_notes).most_common())
    data["tests"] = dict(Counter(fault.test for fault in faults if fault.test).most_common())
    data["lacking"] = list(without)
    data["faults"] = [
        {
            "file": one.path, "line": one.line, "sentence": one.sentence, "sent_id": one.sent_id,
            "word": one.fault.word, "kind": one.fault.kind, "test": one.fault.test, "message": one.fault.message,
            "note": one.fault.note,
        }
        for one in checked.faults
    ]  # fmt: skip
    return Report(data, "\n".join(_lines(options, checked, data, len(wrong))), code=int(bool(wrong)))


def _lines(options, checked, data, count):
    """What is printed."""
    kinds, notes = list(data["kinds"].items()), list(data["notes"].items())
    rules = "and of Universal Dependencies" if checked.universal else "(its relations or tags are not universal)"
    lines = [
        f"By the rules of trees {rules}:",
        f"{count:,} fault{'s' * (count != 1)} in {data['faulty']:,} of {checked.sentences:,} sentences",
    ]
    lines += [table(kinds, ("kind", "faults"))] if kinds else []
    lines += [table(list(data["tests"].items()), ("test of UD", "faults"))] if data["tests"] else []
    lines += [table(notes, ("no law, but mostly", "notes"))] if notes else []
    if data["lacking"] and checked.universal:
        lines.append(f"not counted: no sentence has {', '.join(data['lacking'])}, which UD asks for")
    several = len(options.files) > 1 or len({one.path for one in checked.faults}) > 1
    lines += [_line(one, several) for one in checked.faults[: options.most]]
    left = len(checked.faults) - options.most
    return [*lines, f"and {left:,} more; --most shows more"] if left > 0 else lines


def _line(one: PlacedFault, several):
    """A fault in words, with its file where there are several."""
    where = f"{one.path}, " * several + (f"line {one.line}, " * bool(one.line))
    name = f"sentence {one.sentence}{f' ({one.sent_id})' if one.sent_id else ''}" if one.sentence else "the file"
    word = f", word {one.fault.word}{f' {one.form}' if one.form else ''}" if one.fault.word else ""
    return f"{where}{name}{word}: {one.fault.message}{f' [{one.fault.test}]' if one.fault.test else ''}"


def _language_lists(options):
    """UD's lists of the language that ``--language`` names; None without ``--ud-data``."""
    if options.ud_data is None:
        return None
    if options.language is None:
        raise WorkbenchError("--ud-data and --language belong together; give a code, such as en")
    return LanguageLists.read(options.ud_data, language_code(options.language))
