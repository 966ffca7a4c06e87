"""Small treebanks for the tests of consistency."""

from core.treebank import Treebank


def bank(*sentences, name="made up"):
    """A treebank of sentences written ``form/TAG/head ...``; the head may be left out."""
    rows = []
    for sentence in sentences:
        words = [word.split("/") for word in sentence.split()]
        row = {"forms": [word[0] for word in words], "xpos": [word[1] for word in words]}
        if len(words[0]) > 2:
            row["heads"] = [int(word[2]) for word in words]
        rows.append(row)
    return Treebank.from_sentences(rows, name=name)


def figure_1():
    """Sentences in the manner of rush2012's Figure 1: DT JJ once in training, twice in the test text."""
    train = bank("She/PRP/2 met/VBD/0 the/DT/5 tall/JJ/5 guard/NN/2")
    test = bank("the/DT/3 shy/JJ/3 girls/NNS/4 laughed/VBD/0", "we/PRP/2 hated/VBD/0 an/DT/5 old/JJ/5 song/NN/2")
    return train, test
