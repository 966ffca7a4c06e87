"""Made-up texts in place of treebanks."""

from core.treebank import Treebank

# "&" is a word beside commas, and would be taken for a mark where there are none
PHRASES = (
    "(S (NP (DT the) (NN dog)) (VP (MD will) (VP (VB see) (NP (DT a) (NN cat)))) (. .))\n"
    "(S (NP (NNS dogs)) (, ,) (VP (VBD saw) (NP (CD 5) (SYM &) (NN %)) (PP (IN of) (NP (DT the) (NNS cats)))) (. .))\n"
    "(S (NP (NNS cats)) (VP (MD will) (VP (VB see) (PP (IN of) (NP (DT the) (NN dog))))) (. .))\n"
)


def treebank(*sentences):
    """A treebank of sentences written ``form/TAG/head ...``, with universal tags."""
    rows = [[word.split("/") for word in sentence.split()] for sentence in sentences]
    return Treebank.from_sentences(
        {"forms": [word[0] for word in row], "upos": [word[1] for word in row], "heads": [int(word[2]) for word in row]}
        for row in rows
    )


UNIVERSAL = (
    "the/DET/2 dog/NOUN/3 saw/VERB/0 a/DET/5 cat/NOUN/3 ./PUNCT/3",
    "dogs/NOUN/2 see/VERB/0 cats/NOUN/2 in/ADP/5 gardens/NOUN/2 !/PUNCT/2",
)
