"""What several commands do with a folder of shards."""

import time
from argparse import Namespace

from core.commandline.common import Report, engine_of, refuse_of_files, written
from core.errors import WorkbenchError
from core.parsers.sharded import TAG, Annotation, annotate_shards
from core.shards.folder import Shards


def annotate(options: Namespace, annotation: Annotation) -> Report:
    """Tag or parse the shards of FILE into the folder ``--out``."""
    refuse_of_files(options, "format", "encoding", "no_punctuation", "max_length", "limit", "scheme")
    if str(options.out).lower().endswith(".conllu"):
        raise WorkbenchError("shards are written into a folder; give --out a name without .conllu")
    began = time.perf_counter()
    with engine_of(options) as engine:
        done = annotate_shards(Shards(options.file), options.out, annotation, engine=engine)
    data = {"sentences": done.sentences, "tokens": done.words, "seconds": time.perf_counter() - began}
    line = written("tagged" if annotation.action == TAG else "parsed", data, options.out)
    return Report({**data, "shards": len(done), "out": str(options.out)}, line)
