"""Texts cut in other ways: drawn ones, and real ones cut anew. A cut is as in ``tests.oracles.alignment``."""

from hypothesis import strategies as st

PLAIN = {"lemma": "_", "upos": "_", "xpos": "_", "feats": "_", "deprel": "dep"}


@st.composite
def cuts(draw, text, parts):
    """A cut of ``text``; words of a multiword token are drawn from ``parts(token)``."""

    def words(form):
        return draw(st.just([]) | st.lists(parts(form), min_size=2, max_size=3))

    return [[(form, words(form)) for form in _split(draw, sentence)] for sentence in _split(draw, text)]


def _split(draw, text):
    ends = sorted({len(text), *draw(st.lists(st.integers(1, len(text)), max_size=6))})
    return [text[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]


def conllu(cut, columns=lambda number, size: PLAIN, head=lambda number, size: number - 1):
    """The CoNLL-U text of a cut; ``columns`` and ``head`` say the rest of each word, from its number and how many."""
    lines = []
    for sentence in cut:
        size, number = sum(len(words) or 1 for _, words in sentence), 0
        for form, words in sentence:
            if words:
                lines.append("\t".join([f"{number + 1}-{number + len(words)}", form, *"_" * 8]))
            for word in words or [form]:
                number += 1
                rest = columns(number, size)
                tags = [rest[name] for name in ("lemma", "upos", "xpos", "feats")]
                lines.append("\t".join([str(number), word, *tags, str(head(number, size)), rest["deprel"], "_", "_"]))
        lines.append("")
    return "\n".join([*lines, ""])


@st.composite
def annotated(draw, cut):
    """CoNLL-U of a cut with drawn columns and trees: each word's head is one that was drawn before it."""
    values = {
        "lemma": st.sampled_from(["_", "a", "b"]),
        "upos": st.sampled_from(["_", "X"]),
        "xpos": st.sampled_from(["_", "x"]),
        "feats": st.sampled_from(["_", "Case=Nom", "Odd=Yes|Case=Nom"]),
        "deprel": st.sampled_from(["_", "nsubj", "obj:x", "obj", "det", "case", "punct"]),
    }
    orders = {}

    def head(number, size):
        if number == 1:
            orders["now"] = draw(st.permutations(range(1, size + 1)))
        place = orders["now"].index(number)
        return draw(st.sampled_from(orders["now"][:place])) if place else 0

    return conllu(cut, lambda number, size: {name: draw(each) for name, each in values.items()}, head)


def recut(text, chance, share=0.15):
    """CoNLL-U text cut anew: a share of its tokens split, joined with the next or given other words, sentences joined,
    heads and columns changed. ``chance`` is a random.Random."""
    cut, known = [], {}
    for block in text.strip("\n").split("\n\n"):
        tokens, until = [], 0
        for line in block.split("\n"):
            fields = line.split("\t")
            if line.startswith("#") or "." in fields[0]:
                continue
            if "-" in fields[0]:
                until = int(fields[0].partition("-")[2])
                tokens.append((fields[1].replace(" ", ""), []))
                continue
            if int(fields[0]) > until:
                tokens.append((fields[1].replace(" ", ""), []))
            else:
                tokens[-1][1].append(fields[1])
            known[fields[1]] = dict(zip(PLAIN, (*fields[2:6], fields[7]), strict=True))
        if cut and chance.random() < share:
            cut[-1] += _changed(tokens, chance, share)
        else:
            cut.append(_changed(tokens, chance, share))
    words = [[word for form, parts in sentence for word in (parts or [form])] for sentence in cut]
    place = {"sentence": -1}

    def columns(number, size):
        place["sentence"] += number == 1
        word = words[place["sentence"]][number - 1]
        word = chance.choice(words[place["sentence"]]) if chance.random() < share else word
        return known.get(word, PLAIN)

    def head(number, size):
        return chance.randrange(max(1, number - 3), number) if number > 1 else 0

    return conllu(cut, columns, head)


def _changed(tokens, chance, share):
    """The tokens of a sentence with a share of them cut in another way."""
    found = []
    for form, words in tokens:
        roll = chance.random() / share
        if roll < 0.3 and found:
            found.append((found.pop()[0] + form, []))
        elif roll < 0.6 and len(form) > 1:
            at = chance.randrange(1, len(form))
            found += [(form[:at], []), (form[at:], [])]
        elif roll < 0.8 and found:
            before, others = found.pop()
            found.append((before + form, [*(others or [before]), *(words or [form.upper()])]))
        elif roll < 1:
            found.append((form, []))
        else:
            found.append((form, words))
    return found
