"""Parsers and taggers: training, parsing, saving and loading."""

from importlib import import_module
from pathlib import Path
from typing import BinaryIO

from core.errors import FormatError
from core.parsers.crf.tree_crf import TreeCRF
from core.parsers.dmv.grammar import DMV
from core.parsers.dmv.training import DMVSettings
from core.parsers.english import NAME as ENGLISH
from core.parsers.english import English
from core.parsers.mst.parser import MSTParser
from core.parsers.protocols import Parser
from core.parsers.tagger.tagger import Tagger
from core.parsers.weights import read_kind

__all__ = ["DMV", "ENGLISH", "UNIVERSAL", "DMVSettings", "English", "MSTParser", "Tagger", "TreeCRF", "load_parser"]

UNIVERSAL = "universal"
LOADERS = {  # kind of model file -> what reads it, imported when such a file is met
    UNIVERSAL: "core.parsers.universal.parser:UniversalParser",
    "tree-crf": "core.parsers.crf.tree_crf:TreeCRF",
    "mst": "core.parsers.mst.parser:MSTParser",
    "adapted-mst": "core.parsers.mst.adapted:AdaptedParser",
    "labelled": "core.parsers.labelled:LabelledParser",
    "dmv": "core.parsers.dmv.grammar:DMV",
    "grammar": "core.constraints.grammar.model:Grammar",
    "projected": "core.constraints.grammar.projected:ProjectedParser",
    "together": "core.constraints.grammar.ensemble:ParserEnsemble",
    "label-rules": "core.parsers.labels:RuleLabels",
}


def load_parser(path: str | Path | BinaryIO) -> Parser:
    """Read any saved parser: a ``Parser``. Raises FormatError for other files.

    The names "english" and "universal" stand for those that come with the workbench.
    """
    if str(path) == ENGLISH:
        return English.load()
    kind = UNIVERSAL if str(path) == UNIVERSAL else read_kind(path)
    if kind not in LOADERS:
        raise FormatError(f"a model of kind {kind!r} is not a parser", path=path)
    module, name = LOADERS[kind].split(":")
    load = getattr(import_module(module), name).load
    return load() if str(path) == UNIVERSAL else load(path)
