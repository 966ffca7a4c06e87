"""``corpus`` and its actions, from ``stats`` to ``export``."""

import time
from argparse import Namespace
from pathlib import Path

import numpy as np

from core.commandline import texts
from core.commandline.answers import add_answers
from core.commandline.glosses import add_features
from core.commandline.options import READS, SPREADS, Commands, add_actions, add_command
from core.commandline.proposing import add_propose
from core.commandline.reports import Report, every_second, extent, shards_done, table, write_text
from core.commandline.stores import add_store_command, project_named
from core.commandline.validating import add_validate
from core.commandline.values import positive
from core.errors import WorkbenchError
from core.search import clusters, parse_request, propose, rewrite, search
from core.search.subtypes import left_out_words
from core.shards.conllu import write_shards
from core.shards.folder import Shards, is_folder
from core.store.locations import treebank_folder
from core.treebank import statistics, write_conllu, write_treebank
from core.treebank.downloads import download, treebank_files, treebank_names
from core.treebank.head_rules import load_head_rules
from core.treebank.multiword import table_of_contractions
from core.treebank.schemes import to_function_heads
from core.workspace.wording import amount

SCHEMES = ("ud", "function-heads")


def add_commands(commands: Commands) -> None:
    """Add ``corpus`` and its actions to the command line."""
    actions = add_actions(commands, "corpus", "statistics and conversion of treebanks")

    title = "sentences, words, tags, relations, non-projectivity"
    command = add_command(actions, "stats", title, run_stats, READS + SPREADS)
    command.add_argument("file", metavar="FILE", help="or a folder of shards")

    title = "read any format, write CoNLL-U, .spacy, .csv or displaCy's .json"
    command = add_command(actions, "convert", title, run_convert, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--out", required=True, metavar="FILE", help="write here, as its ending says; else CoNLL-U")
    rules = "head rules for bracketed trees: collins (default), yamada-matsumoto, or a file"
    command.add_argument("--heads", metavar="RULES", help=rules)
    texts.add_into(command)
    command.add_argument("--scheme", choices=SCHEMES, default="ud", help="function-heads: function words head UD trees")

    title = "a table of contractions, read off the multiword tokens of a treebank"
    command = add_command(actions, "contractions", title, run_contractions, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("--out", metavar="FILE", help="write the table here, for --contractions of other commands")

    command = add_command(actions, "search", "count what a Grew-style request finds", run_search, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("request", metavar="REQUEST", help="such as 'V [upos=VERB]; V -[obj]-> N', or a file of it")
    command.add_argument("--by", action="append", default=[], metavar="KEY", help="X.upos or e.label; at most twice")
    command.add_argument(
        "--most", type=positive, default=20, metavar="N", help="show so many (default: 20; --json: all)"
    )
    command.add_argument("--out", metavar="FILE", help="write CoNLL-U here: rewritten by the request's commands")
    texts.add_enhanced(command)

    title = "carry out a request's commands: words split, merged, corrected, arcs and tags changed"
    command = add_command(actions, "edit", title, run_edit, READS)
    command.add_argument("file", metavar="FILE")
    command.add_argument("request", metavar="REQUEST", help="as of search, with commands, or a file of it")
    command.add_argument("--out", required=True, metavar="FILE", help="write the edited text here, as CoNLL-U")
    command.add_argument("--most", type=positive, default=20, metavar="N", help="name so many left alone (default: 20)")
    texts.add_enhanced(command)

    add_propose(actions)
    add_answers(actions)
    add_features(actions)

    add_validate(actions)

    command = add_command(actions, "fetch", "a treebank of Universal Dependencies by name", run_fetch)
    command.add_argument("name", nargs="?", metavar="NAME", help="such as English-EWT; without it, the names known")
    command.add_argument("--part", metavar="PART", help="train, dev or test (default: all there are)")
    command.add_argument("--release", default="master", help="such as r2.14 (default: the last one)")
    command.add_argument("--out", metavar="FOLDER", help="where to (default: kept with the workbench's data)")

    title = "a text of a project as it stands, with all that was corrected, as CoNLL-U"
    command = add_store_command(actions, "export", title, run_export)
    command.add_argument("project", metavar="PROJECT")
    command.add_argument("text", metavar="TEXT", help="its name in the project")
    command.add_argument("--out", required=True, metavar="FILE")
    command.add_argument("--version", default="", metavar="NAME", help="a person's version (default: the project's)")
    texts.add_into(command)
    which = command.add_mutually_exclusive_group()
    which.add_argument("--as-uploaded", action="store_true", help="the file's own trees and tags")
    which.add_argument("--as-of", type=positive, metavar="RUN", help="as a run learnt from it: with corrections that "
                       "were done when it was made")  # fmt: skip
    texts.add_enhanced(command)


def run_stats(options: Namespace) -> Report:
    """What a treebank holds."""
    text = texts.read_text_or_shards(options.file, options)
    if isinstance(text, Shards):
        from core.shards.counting import shards_statistics

        with texts.engine_of(options) as engine:
            summary, warnings = shards_statistics(text, options.max_length, engine=engine), []
    else:
        summary, warnings = statistics(text), list(text.warnings)
    names = {"tokens": "words", "with_heads": "with trees", "non_projective": "non-projective"}
    fields = ("sentences", "tokens", "mean_length", "longest", "with_heads", "non_projective", "several_roots")
    lines = [table([(names.get(field, field.replace("_", " ")), getattr(summary, field)) for field in fields])]
    for name, counts in (("UPOS", summary.upos), ("XPOS", summary.xpos), ("relations", summary.relations)):
        if counts:
            most = ", ".join(f"{value} {count}" for value, count in list(counts.items())[:12])
            lines.append(f"{name}: {most}" + (" ..." if len(counts) > 12 else ""))
    lines += texts.warning_lines(text)
    return Report({**summary.as_dict(), "warnings": warnings}, "\n".join(lines))


def run_convert(options: Namespace) -> Report:
    """Read a treebank, change its scheme if asked, write it as the file's ending says."""
    if is_folder(options.file):
        return _convert_shards(options)
    texts.require_out(options)
    if options.heads:
        load_head_rules(options.heads)  # a name that means nothing is refused, whatever the format
    treebank = texts.read(options.file, options, **({"rules": options.heads} if options.heads else {}))
    if options.scheme == "function-heads":
        if not (treebank.heads >= 0).any():
            raise WorkbenchError(f"{options.file} holds no trees to convert; give a UD treebank")
        treebank = to_function_heads(treebank)
    notes = texts.write_out(treebank, options, write_treebank)
    data = {"sentences": len(treebank), "tokens": treebank.token_count, "out": str(options.out)}
    data["warnings"] = [*treebank.warnings, *notes]
    lines = [f"{extent(len(treebank), treebank.token_count)} written to {options.out}"]
    lines += [f"warning: {note}" for note in notes]
    return Report(data, "\n".join(lines + texts.warning_lines(treebank)))


def run_contractions(options: Namespace) -> Report:
    """Read a table of contractions off a treebank."""
    lines = table_of_contractions(texts.read(options.file, options))
    if not lines:
        raise WorkbenchError(f"{options.file} has no contraction: no multiword token has two words with letters")
    count = lines.count("\n")
    if options.out:
        write_text(options.out, lines)
    shown = f"{amount(count, 'contraction')} written to {options.out}" if options.out else lines.rstrip("\n")
    return Report({"contractions": count, "table": lines, "out": options.out}, shown)


def _convert_shards(options):
    texts.refuse_of_files(
        options, "into", "format", "encoding", "no_punctuation", "max_length", "limit", "scheme", "heads"
    )
    if not str(options.out).lower().endswith(".conllu"):
        raise WorkbenchError("shards are written as CoNLL-U alone; give --out a name that ends in .conllu")
    shards = Shards(options.file)
    write_shards(shards, options.out, progress=every_second(options.progress, shards_done))
    data = {"sentences": shards.sentences, "tokens": shards.words, "out": str(options.out), "warnings": []}
    return Report(data, f"{extent(shards.sentences, shards.words)} written to {options.out}")


def run_search(options: Namespace) -> Report:
    """Hits of a request, grouped where asked; with ``--out`` its commands are carried out."""
    request = _request(options)
    if request.commands and not options.out:
        raise WorkbenchError("the request has commands; say with --out where the rewritten treebank goes")
    treebank = texts.read(options.file, options)
    hits = search(treebank, request)
    data: dict[str, object] = {"hits": len(hits), "sentences": len(np.unique(hits.sentences))}
    lines = [f"{len(hits):,} hits in {data['sentences']:,} of {len(treebank):,} sentences"]
    lines += _reservations(hits, data)
    if options.by:
        groups = clusters(hits, options.by)
        data["clusters"] = [{"values": list(group.values), "count": group.count} for group in groups]
        rows = [(*map(str, group.values), group.count) for group in groups[: options.most]]
        if rows:
            lines.append(table(rows, (*options.by, "hits")))
        if len(groups) > len(rows):
            lines.append(f"and {len(groups) - len(rows):,} more; --most shows more")
    else:
        data["examples"] = [_example(hits, hit) for hit in range(len(hits) if options.json else 0)]
        for example in [_example(hits, hit) for hit in range(min(len(hits), options.most))]:
            numbers = example["words"].items()
            named = ", ".join(f"{name} = {number} {example['forms'][name]}" for name, number in numbers)
            lines.append(f"sentence {example['sentence']}: {named} · {example['text']}")
    if options.out:
        rewritten = _rewritten(treebank, request, options)
        data |= rewritten.data
        lines.append(rewritten.text)
    return Report(data, "\n".join(lines))


def _example(hits, hit):
    """A hit: its sentence, and the number and form of each word that the request names."""
    sentence, words = hits.treebank[int(hits.sentences[hit])], hits.words(hit)
    forms = {name: sentence.forms[number] for name, number in words.items()}
    place = {"sentence": sentence.index + 1, "sent_id": sentence.sent_id}
    return place | {"words": words, "forms": forms, "text": sentence.text}


def run_edit(options: Namespace) -> Report:
    """A treebank after a request's commands, hit by hit."""
    return _rewritten(texts.read(options.file, options), _request(options), options)


def _request(options):
    is_file = "[" not in options.request and Path(options.request).is_file()
    return parse_request(texts.read_text(options.request) if is_file else options.request)


def _reservations(hits, data):
    """Lines on what a search left out or may not have meant; ``data`` gets them too."""
    if hits.missing:
        data["missing"] = hits.missing
    if hits.notes:
        data["notes"] = list(hits.notes)
    notes = [*hits.notes]
    if hits.left_out:
        data["left_out"] = dict(hits.left_out)
        notes.append(left_out_words(hits.left_out))
    missing = (f"not all hits: {hits.missing}",) if hits.missing else ()
    return (*missing, *(f"note: {note}" for note in notes))


def _rewritten(treebank, request, options):
    """The treebank after a request's commands, written to ``--out``: a Report."""
    result = rewrite(treebank, propose(treebank, request)[1])
    write_treebank(result.treebank, options.out)
    skipped = [{"sentence": hit.sentence + 1, "reason": hit.refusal} for hit in result.refused]
    lines = [f"{amount(len(result.done), 'hit')} rewritten, {len(skipped):,} left alone, written to {options.out}"]
    lines += ["  sentence {sentence}: {reason}".format(**row) for row in skipped[: options.most]]
    data = {"rewritten": len(result.done), "skipped": skipped, "out": options.out}
    texts.say_dropped_graphs(result.treebank, data, lines)
    return Report(data, "\n".join(lines))


def run_fetch(options: Namespace) -> Report:
    """Fetch the files of a treebank, checked; those that are there already are not fetched again."""
    if options.name is None:
        return Report({"names": list(treebank_names())}, "\n".join(treebank_names()))
    files = treebank_files(options.name, options.release)
    wanted = [file for file in files if options.part in (None, file.part)]
    if not wanted:
        parts = ", ".join(file.part for file in files)
        raise WorkbenchError(f"UD_{files[0].treebank} has no part {options.part}; choose {parts}")
    folder = Path(options.out) if options.out else treebank_folder()
    paths = [download(file, folder, _progress(file, options.progress)) for file in wanted]
    rows = [(file.part, f"{file.size:,} bytes", path) for file, path in zip(wanted, paths, strict=True)]
    data = [{"part": f.part, "size": f.size, "file": str(path)} for f, path in zip(wanted, paths, strict=True)]
    return Report({"treebank": files[0].treebank, "release": options.release, "files": data}, table(rows))


def _progress(file, say):
    """A progress callback that says at most once a second how much has come."""
    last = time.monotonic()

    def progress(have):
        nonlocal last
        if time.monotonic() - last >= 1 or have == file.size:
            last = time.monotonic()
            say(f"{file.name}: {have:,} of {file.size:,} bytes")

    return progress


def run_export(options: Namespace) -> Report:
    """Write a text of a project, under the corrections of one version, begun or done; or as a run learnt from it."""
    from core.workspace import Workspace
    from core.workspace.annotations import layers_of
    from core.workspace.stored import stored_kinds  # loads every system

    workspace = Workspace.open(options.store, stored_kinds)
    project = project_named(workspace.store, options.project)
    corpora = workspace.store.corpora(project)
    corpus = next((corpus for corpus in corpora if corpus.name == options.text), None)
    if corpus is None:
        names = ", ".join(repr(corpus.name) for corpus in corpora)
        raise WorkbenchError(f"{options.project} has no text {options.text!r}; it has {names}")
    if options.version not in (versions := layers_of(workspace.store, corpus)) and options.version:
        names = ", ".join(repr(name) for name in versions if name) or "only the project's"
        raise WorkbenchError(f"nobody has annotated {corpus.name} as {options.version!r}; there is {names}")
    if options.as_of:
        standing = workspace.as_of(_run_on(workspace.store, project, corpus, options)).settled(corpus)
    else:
        standing = workspace.of_version(options.version).standing(corpus)
    treebank = workspace.file(corpus) if options.as_uploaded else standing.treebank
    treebank = texts.with_enhanced(treebank, options)
    now = standing.corrections
    corrected = 0 if options.as_uploaded else len({*now.columns, *now.order.moved(now.words)})
    notes = texts.write_out(treebank, options, write_conllu)
    data: dict[str, object] = {"sentences": len(treebank), "corrected": corrected, "out": str(options.out)}
    data |= {"warnings": notes} if notes else {}
    lines = [f"{amount(len(treebank), 'sentence')} written to {options.out}, {corrected:,} of them corrected"]
    lines += [f"warning: {note}" for note in notes]
    texts.say_dropped_graphs(treebank, data, lines)
    return Report(data, "\n".join(lines))


def _run_on(store, project, corpus, options):
    """The run of ``--as-of``. Raises WorkbenchError where it is on no such text."""
    if options.version:
        raise WorkbenchError("runs learn from the project's version; leave out --version or --as-of")
    runs = [run for run in store.runs(project) if run.settings.get("corpus") == corpus.id]
    found = next((run for run in runs if run.id == options.as_of), None)
    if found is None:
        numbers = ", ".join(str(run.id) for run in sorted(runs, key=lambda run: run.id)) or "none"
        raise WorkbenchError(f"run {options.as_of} is not on {corpus.name}; runs on it: {numbers}")
    return found
