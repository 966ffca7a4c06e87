"""Parsers: what is trained, applied, saved and loaded."""

from core.errors import FormatError
from core.parsers import dmv, mst, tree_crf
from core.parsers.dmv import DMV
from core.parsers.dmv_training import DMVProgress, DMVSettings
from core.parsers.english import NAME as ENGLISH
from core.parsers.english import English
from core.parsers.mst import MSTParser
from core.parsers.tagger import Tagger
from core.parsers.tree_crf import TreeCRF
from core.parsers.weights import read_kind

__all__ = [
    "DMV",
    "ENGLISH",
    "DMVProgress",
    "DMVSettings",
    "English",
    "MSTParser",
    "Tagger",
    "TreeCRF",
    "load_parser",
]

ADAPTED = "adapted-mst"  # a parser with induced features
LOADERS = {tree_crf.KIND: TreeCRF.load, mst.KIND: MSTParser.load, dmv.KIND: DMV.load}


def load_parser(path):
    """Read any saved parser: an object with ``parse(treebank)``. Raises FormatError for other files.

    The name "english" stands for the one that comes with the workbench.
    """
    if str(path) == ENGLISH:
        return English.load()
    kind = read_kind(path)
    if kind == ADAPTED:
        from core.adaptation.adapted_parser import AdaptedParser  # a layer above: asked for by such a file alone

        return AdaptedParser.load(path)
    if kind not in LOADERS:
        raise FormatError(f"a model of kind {kind!r} is not a parser", path=path)
    return LOADERS[kind](path)
