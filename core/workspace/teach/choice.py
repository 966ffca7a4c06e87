"""What is stepped through on the Teach page: the plain values that stand in its address and in the stops of lessons."""

from dataclasses import asdict, dataclass

from core.store import Corpus
from core.teach.algorithms import algorithm_named
from core.teach.greedy import GREEDY
from core.teach.lessons import Stop
from core.workspace.corpora import language_of

SOURCES = {"corpus": "A sentence of the corpus", "typed": "Type a sentence"}
PAIRS = {  # the sources, where two are wanted
    "corpus": "Two sentences of the corpus",
    "typed": "The built-in example",
    "both": "Type two sentences",
}
SCORES = {"parser": "Parser", "tree": "The text’s tree", "dice": "Random", "equal": "All equal", "own": "My own"}
FIRST = "the old man saw her duck"  # what stands in the box before anything is typed
READ = OF_TEXT, AS_ENGLISH = "text", "english"  # as what a typed sentence is tagged and scored
MOVERS = {"oracle": "The oracle", GREEDY: "A greedy parser"}
ORACLE, _ = MOVERS
CORPUS, TYPED, BOTH = PAIRS
PARSER, TREE, DICE, EQUAL, OWN = SCORES


@dataclass(frozen=True)
class Choice:
    """The algorithm, sentence and scores that are shown; every field stands in the page's address.

    ``sentence`` and ``second`` count from 1, and 0 is the second one that ``TeachRoom.partner`` finds. ``scores`` is
    one of ``SCORES``, ``own`` a line of ``core.teach.scores``. ``moves`` are letters of ``core.teach.step.Move``.
    ``read``, one of ``READ``, is for a typed sentence. ``typed_second`` is for two typed sentences. Of a transition
    system ``constraint`` is ``GREEDY`` where the greedy parser takes the moves.
    """

    algorithm: str
    source: str = CORPUS
    sentence: int = 1
    typed: str = FIRST
    scores: str = PARSER
    dice: int = 1
    own: str = ""
    single_root: bool = True
    constraint: str = ""
    second: int = 0
    moves: str = ""
    read: str = OF_TEXT
    typed_second: str = ""


def choice_of(stop: Stop) -> Choice:
    """The Choice that shows a Stop: its sentence as typed, its scores as one's own."""
    pairing = algorithm_named(stop.algorithm).pairing
    if pairing is not None and (not stop.second or (stop.sentence, stop.second) == pairing.example):
        return Choice(stop.algorithm, TYPED, scores=EQUAL, read=AS_ENGLISH)
    if pairing is not None:
        return Choice(stop.algorithm, BOTH, typed=stop.sentence, read=AS_ENGLISH, typed_second=stop.second)
    return Choice(
        stop.algorithm, TYPED, 1, stop.sentence, OWN if stop.scores else PARSER, 1, stop.scores, stop.single_root,
        stop.constraint, moves=stop.moves, read=AS_ENGLISH,
    )  # fmt: skip


def as_keys(choice: Choice, step: int) -> dict:
    """The widgets' values that show a Choice: dict of key to value, all keys beginning with ``teach_``."""
    source = TYPED if choice.source == BOTH else choice.source
    keys = asdict(choice) | {"source": source, "pair": choice.source, "step": step, "moves": choice.moves or None}
    keys |= {"constraint": "", "mover": GREEDY} if choice.constraint == GREEDY else {"mover": ORACLE}
    return {f"teach_{name}": value for name, value in keys.items()}


def in_english(corpus: Corpus, choice: Choice) -> bool:
    """Whether a typed sentence is read as English: also where the text beside it is."""
    return choice.read == AS_ENGLISH or language_of(corpus) == "en"
