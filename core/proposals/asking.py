"""A prompt that asks a language model, or a person, for the trees of sentences. Nothing is sent anywhere."""

from collections.abc import Sequence

import numpy as np

from core.annotation.label_inventories import LabelInventories
from core.proposals.answers import EXAMPLE
from core.treebank import Sentence, Treebank

EXAMPLES, LONGEST = 3, 25  # sentences that show the scheme, and their words at most, where some are so short
LOOKED_AT = 500  # sentences among which these are chosen
TASK = """\
Draw the dependency tree of each of the {count} below{language}, by the scheme of the examples.

Answer with CoNLL-U in one code block and with nothing else.
- Each word has a line of ten columns with tabs between them:
  ID, FORM, LEMMA, UPOS, XPOS, FEATS, HEAD, DEPREL, DEPS, MISC
- Copy ID, FORM and UPOS as they are. Leave no word out, add none, divide or join none.
- HEAD is the ID of the word that the word depends on, DEPREL its relation. All other columns may be _.
- Each sentence is one tree: exactly one word has HEAD 0 and DEPREL root, and no heads run in a circle.
- Copy the line # sent_id above each sentence, and put an empty line behind it.

Tags (UPOS): {tags}
Relations (DEPREL): {relations}
"""


def prompt(
    text: Treebank, sentences: Sequence[int], examples: Treebank, inventories: LabelInventories | None = None,
    language: str = "",
) -> str:  # fmt: skip
    """The prompt for some sentences of a text.

    Parameters
    ----------
    text : Treebank
    sentences : sequence of int
        From 0.
    examples : Treebank
        Whole trees that show the scheme, as of ``example_trees``.
    inventories : LabelInventories, optional
        The tags and relations to choose from; by default those of the examples.
    language : str
        Its name, where known.

    Returns
    -------
    str
        O(words asked for and shown).
    """
    inventories = LabelInventories.of(examples) if inventories is None else inventories
    count = "sentence" if len(sentences) == 1 else f"{len(sentences)} sentences"
    labels = [", ".join(names) for names in (inventories.upos_names, inventories.relation_names)]
    task = TASK.format(
        count=count, language=f", in {language}" if language else "", tags=labels[0], relations=labels[1]
    )  # fmt: skip
    shown = [_lines(sentence, True, f"{EXAMPLE} {k}") for k, sentence in enumerate(examples, 1)]
    asked = [_lines(text[index], False, text[index].sent_id or str(index + 1)) for index in sentences]
    return "\n".join([task, "Examples:\n", *shown, "Sentences to draw:\n", *asked])


def example_trees(trees: Treebank, count: int = EXAMPLES) -> Treebank:
    """A few whole trees with as many different relations as can be, of sentences of at most LONGEST words first.

    Each of them adds the most relations to those before it. Of a long text the first LOOKED_AT are looked at. O(words).
    """
    whole = np.logical_and.reduceat((trees.heads >= 0) | ~trees.is_word, trees.offsets[:-1]) & (trees.lengths > 1)
    short = np.flatnonzero(whole & (trees.lengths <= LONGEST))
    left = (short if len(short) else np.flatnonzero(whole))[:LOOKED_AT].tolist()
    chosen: list[int] = []
    shown: set[str] = set()
    while left and len(chosen) < count:
        best = max(left, key=lambda index: (len({*trees[index].deprels} - shown), -index))
        left.remove(best)
        chosen.append(best)
        shown.update(trees[best].deprels)
    return trees.select(np.array(sorted(chosen), np.int64))


def _lines(sentence: Sentence, with_tree: bool, name: str) -> str:
    """A sentence as CoNLL-U, with its tree or without."""
    lines = [f"# sent_id = {name}", f"# text = {sentence.text}"]
    for word in range(1, len(sentence) + 1):
        tree = (str(sentence.heads[word]), sentence.deprels[word] or "_") if with_tree else ("_", "_")
        columns = sentence.forms[word], "_", sentence.upos[word] or "_", sentence.xpos[word] or "_", "_", *tree
        lines.append("\t".join((str(word), *columns, "_", "_")))
    return "\n".join([*lines, ""])
