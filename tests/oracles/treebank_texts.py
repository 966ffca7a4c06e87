"""Hypothesis strategies: CoNLL-U text with everything the format allows, and trees."""

from hypothesis import strategies as st

FIELD = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\t\n\r\0"), min_size=1, max_size=6)
COMMENT = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\n\r\0"), max_size=12)


@st.composite
def trees(draw, min_words=1, max_words=6, roots=1):
    """Heads (n + 1 entries) of a tree: words are hung one after the other under one that hangs already."""
    order = draw(st.permutations(range(1, draw(st.integers(min_words, max_words)) + 1)))
    heads = [-1] * (len(order) + 1)
    for position, word in enumerate(order):
        heads[word] = 0 if position < roots else draw(st.sampled_from(order[:position]))
    return heads


@st.composite
def conllu_texts(draw):
    """(text, forms): text of up to three sentences, and the words of each."""
    newline = draw(st.sampled_from(["\n", "\r\n"]))
    lines, forms = draw(st.lists(st.just(""), max_size=2)), []
    for _ in range(draw(st.integers(1, 3))):
        lines += ["#" + comment for comment in draw(st.lists(COMMENT, max_size=2))]
        sentence, words = draw(sentences())
        lines += sentence
        lines += [""] * draw(st.integers(1, 2))
        forms.append(words)
    end = draw(st.sampled_from(["", newline, newline * 3]))
    text = newline.join(lines).rstrip("\r\n") + end
    return draw(st.sampled_from(["", "\ufeff"])) + text, forms


@st.composite
def sentences(draw):
    """(lines, forms) of one sentence with ranges and empty nodes."""
    heads = draw(st.one_of(trees(), trees().map(lambda heads: [-1] * len(heads))))
    lines, forms, covered = [], [], 0
    for word in range(1, len(heads)):
        if word > covered and word + 1 < len(heads) and draw(st.booleans()):
            covered = draw(st.integers(word + 1, len(heads) - 1))
            lines.append("\t".join([f"{word}-{covered}", draw(FIELD), *"________"]))
        columns = [draw(FIELD) for _ in range(9)]
        forms.append(columns[0])
        columns[5] = "_" if heads[word] < 0 else str(heads[word])
        lines.append("\t".join([str(word), *columns]))
        for node in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
            lines.append("\t".join([f"{word}.{node + 1}", draw(FIELD), *"________"]))
    return lines, forms
