"""Which column of a tabular treebank format holds what."""

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Layout:
    """One tab-separated format: a word a line, a blank line after each sentence.

    ``positions`` maps the names of ``Treebank``'s columns, and ``head`` and ``misc``, to column numbers counted
    from 0. A name that is missing is a column the format does not have. ID is column 0 everywhere.
    """

    name: str  # the value of --format
    title: str
    least: int  # columns a line may have
    most: int
    positions: dict
    stale: tuple  # columns blanked in a word whose head or relation changed
    references: tuple  # columns that hold word numbers: blanked when words are renumbered
    single_root: bool  # several roots are an error, not a warning
    graph: int | None = None  # column of the enhanced dependencies, which a change of the sentence's tree drops
    brought: int | None = None  # that column where a change of a word's basic arc changes the copy of it instead

    @property
    def is_conllu(self) -> bool:
        """Whether texts are CoNLL-U, of one root word a sentence or of several."""
        return self.title == CONLLU.title


CONLLU = Layout(
    name="conllu",
    title="CoNLL-U",
    least=10,
    most=10,
    positions={"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "head": 6, "deprel": 7, "misc": 9},
    stale=(),
    references=(8,),
    single_root=True,
    graph=8,  # DEPS
)

CONLLX = Layout(
    name="conllx",
    title="CoNLL-X",
    least=8,  # blind and system files leave PHEAD and PDEPREL out
    most=10,
    positions={"form": 1, "lemma": 2, "upos": 3, "xpos": 4, "feats": 5, "head": 6, "deprel": 7},
    stale=(8, 9),  # PHEAD, PDEPREL
    references=(8, 9),
    single_root=False,
)

CONLL2009 = Layout(
    name="conll2009",
    title="CoNLL-2009",
    least=14,
    most=1000,  # one more for each predicate of the sentence
    positions={"form": 1, "lemma": 2, "xpos": 4, "feats": 6, "head": 8, "deprel": 10},
    stale=(),  # PHEAD and PDEPREL are another parser's answer: a changed gold head leaves them true
    references=(9, 11),
    single_root=False,
)

PREDICTED = {"lemma": 3, "xpos": 5, "feats": 7, "head": 9, "deprel": 11}  # CoNLL-2009, of a system or blind files

CONLL2008 = Layout(
    name="conll2008",
    title="CoNLL-2008",
    least=11,
    most=1000,  # one more for each predicate of the sentence
    positions={"form": 5, "lemma": 6, "xpos": 3, "head": 8, "deprel": 9},  # of words split at hyphens and slashes
    stale=(),
    references=(),
    single_root=False,
)
UNSPLIT = {"form": 1, "lemma": 2}  # CoNLL-2008 before splitting
TAGS_2008 = (3, 7, 4)  # gold; of a tagger, of the split words; of a tagger

SEVERAL_ROOTS_CONLLU = replace(CONLLU, single_root=False)  # for trees that did not come from a CoNLL-U file
