"""Penn bracketed trees read by plain recursion over nested lists; imports nothing from core."""


def nested(text):
    """Trees as nested lists of str: ``"(S (NN x))"`` -> ``[["S", ["NN", "x"]]]``."""
    outer = []
    stack = [outer]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack[-1].append([])
            stack.append(stack[-1][-1])
        elif token == ")":
            stack.pop()
        else:
            stack[-1].append(token)
    return outer


def is_leaf(tree):
    return len(tree) == 2 and isinstance(tree[1], str)


def label_and_children(tree):
    return (tree[0], tree[1:]) if isinstance(tree[0], str) else ("", tree)


def without(tree, tags):
    """The tree without leaves that have these tags, or None."""
    if is_leaf(tree):
        return None if tree[0] in tags else tree
    label, children = label_and_children(tree)
    kept = [child for child in (without(child, tags) for child in children) if child]
    return [label, *kept] if kept else None


def leaves(tree):
    """(tag, word) of each leaf."""
    if is_leaf(tree):
        return [tuple(tree)]
    return [leaf for child in label_and_children(tree)[1] for leaf in leaves(child)]


def head_words(tree, choose, heads, first=1):
    """Number of the head word; fills ``heads`` (a dict). ``choose(label, labels)`` gives the head child's index."""
    if is_leaf(tree):
        return first
    label, children = label_and_children(tree)
    words, place = [], first
    for child in children:
        words.append(head_words(child, choose, heads, place))
        place += len(leaves(child))
    head = words[choose(label, [label_and_children(child)[0] for child in children])]
    for word in words:
        if word != head:
            heads[word] = head
    return head


def phrases(tree, first=1):
    """(start, end, label) in preorder."""
    if is_leaf(tree):
        return []
    label, children = label_and_children(tree)
    found, place = [(first, first + len(leaves(tree)), label)], first
    for child in children:
        found += phrases(child, place)
        place += len(leaves(child))
    return found
