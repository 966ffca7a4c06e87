"""What ``tag`` and ``parse`` do with a text or a folder of shards that they have annotated."""

import time
from argparse import Namespace
from dataclasses import replace

from core.commandline.reports import Report, written
from core.commandline.ruling import report_of_shards, rules_for_shards
from core.commandline.texts import engine_of, refuse_of_files
from core.errors import WorkbenchError
from core.parsers.sharded import TAG, Annotation, annotate_shards
from core.shards.folder import Shards
from core.treebank import Treebank, write_treebank


def annotate(options: Namespace, annotation: Annotation) -> Report:
    """Tag or parse the shards of FILE into the folder ``--out``, under ``--rules`` where they are given."""
    refuse_of_files(options, "format", "encoding", "no_punctuation", "max_length", "limit", "scheme")
    if str(options.out).lower().endswith(".conllu"):
        raise WorkbenchError("shards are written into a folder; give --out a name without .conllu")
    began, priced = time.perf_counter(), []
    if getattr(options, "rules", None) or getattr(options, "prices_from", None):
        rules, priced = rules_for_shards(options)
        annotation = replace(annotation, rules=rules)
    with engine_of(options) as engine:
        done = annotate_shards(Shards(options.file), options.out, annotation, engine=engine)
    seconds = time.perf_counter() - began
    data = {"sentences": done.sentences, "tokens": done.words, "seconds": seconds, "shards": len(done)}
    data["out"] = str(options.out)
    lines = [written("tagged" if annotation.action == TAG else "parsed", data)]
    if annotation.rules is not None:
        of_rules, said = report_of_shards(done, priced)
        data, lines = data | of_rules, lines + said
    return Report(data, "\n".join(lines))


def save_annotated(text: Treebank, options: Namespace, began: float) -> dict:
    """Write a text to ``--out``, in the format that its name ends in.

    Returns what there is to say about it, the seconds since it ``began`` included.
    """
    seconds = time.perf_counter() - began
    write_treebank(text, options.out)
    return {"sentences": len(text), "tokens": text.token_count, "seconds": seconds, "out": str(options.out)}
