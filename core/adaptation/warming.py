"""The kernels of adapting to another domain, run once."""

from core.adaptation.correspondence import StructuralCorrespondence
from core.adaptation.pivots import Pivot
from core.compilation.compiling import Warming
from core.compilation.warm import WORDS
from core.extras import missing
from core.parsers.mst.parser import MSTParser
from core.parsers.warming import MST
from core.treebank import Treebank
from core.treebank.warming import warm_reading


def warm_adaptation() -> None:
    """Run every kernel of adapting once, if its library is installed: relations chosen arc by arc, added features."""
    if missing("adaptation"):
        return
    treebank = Treebank.from_sentences([WORDS | {"deprels": ["x", "root", "y"]}] * 3)
    learnt = StructuralCorrespondence([Pivot("b", ("b",))]).fit(treebank, treebank)
    parser = MSTParser(projective=False, labels="joint", bits=8, label_bits=8)
    parser.fit(treebank, epochs=1, extra=learnt.features).parse(treebank, extra=learnt.features)


ADAPTATION = Warming(
    (warm_reading, warm_adaptation),
    (*MST, "core.parsers.mst.label_kernels", "core.trees.maximum_spanning_tree"),
)
