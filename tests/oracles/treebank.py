"""Treebank text read and pruned the slow, obvious way, on lists of dicts."""


def read_rows(text):
    """One list a sentence of (id, form, lemma, upos, xpos, feats, head, deprel) over its words."""
    sentences = []
    for block in text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n\n"):
        rows = [line.split("\t") for line in block.split("\n") if line and not line.startswith("#")]
        rows = [row[:8] for row in rows if row[0].isdigit()]
        if rows:
            sentences.append(rows)
    return sentences


def heads_of(rows):
    """Entry 0 is -1, unknown heads are -1."""
    return [-1] + [-1 if row[6] == "_" else int(row[6]) for row in rows]


def is_tree(heads):
    """Whether every word with a known chain of heads reaches 0 or an unknown head."""
    for word in range(1, len(heads)):
        seen = set()
        while word > 0:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word]
    return True


def pruned(heads, drop):
    """Heads (n + 1 entries) of the words not in the set ``drop``, renumbered; None if none is left."""
    kept = [word for word in range(1, len(heads)) if word not in drop]
    result, first = [-1], None
    for word in kept:
        head = heads[word]
        while head in drop:
            head = heads[head]
        if head == 0 and first is not None:
            head = first
        elif head == 0:
            first = word
        result.append(head if head <= 0 else kept.index(head) + 1)
    return result if kept else None
