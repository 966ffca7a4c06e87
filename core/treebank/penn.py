"""Penn bracketed trees: phrases as they are, dependencies by head percolation.

The head of a phrase is found by rules (``head_rules.py``); every other child's head word modifies it. One pass over
the text with a stack: when a bracket closes, all its children's heads are known, so nothing recurs however deep.
"""

import re
from pathlib import Path

from core.errors import FormatError
from core.treebank.compose import compose, numbered_id
from core.treebank.constituents import Constituents
from core.treebank.head_rules import HeadRules, load_head_rules, plain_label
from core.treebank.layouts import SEVERAL_ROOTS_CONLLU
from core.treebank.punctuation import PENN
from core.treebank.source import ScannedText
from core.treebank.tagged import load_text
from core.treebank.treebank import Treebank

SYMBOL = r"([^\s()]++)"
LINE_REMARK = r"^[ \t]*+(?:[;#%]|//|\*x\*)[^\n]*"  # before or between trees
REMARK = r"^[ \t]*+/\*[\s\S]*?\*/"  # comments, which may have several lines
PIECE = re.compile(  # remark, leaf, open, close, stray
    rf"({LINE_REMARK}|{REMARK})|\(\s*+{SYMBOL}\s++{SYMBOL}\s*+\)|\(\s*+([^\s()]*+)|\)|{SYMBOL}", re.MULTILINE
)
TRACE = "-NONE-"
HELSINKI = re.compile(r"\(\s*(?:ID|CODE)\s+[^\s()]+\s*\)")  # leaves of the Penn parsed corpora of historical texts
NAME, CODES = "ID", frozenset({"CODE", "METADATA", "LINEBREAK", "COMMENT", "REF"})  # brackets that hold no words
SILENT = re.compile(r"\*\S*|0")  # their traces: *T*-1, *con*, *exp*; 0 for what is not said
NUMERALS = ("NUM", "CD", "ONE")
LEMMATISED = 0.9  # share of words written form-lemma, as in IcePaHC
WRAPPERS = frozenset({"", "TOP", "ROOT", "S1"})  # around a tree, and no phrases of its own
ESCAPED = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "-LSB-": "[", "-RSB-": "]"}


def read_mrg(
    source: str | Path | bytes, encoding: str = "utf-8", rules: str | HeadRules = "collins", punctuation: bool = True,
    name: str | None = None,
) -> Treebank:  # fmt: skip
    r"""Read Penn bracketed trees.

    Parameters
    ----------
    source : path, or bytes
    encoding : str
    rules : str or HeadRules
        "collins", "yamada-matsumoto", a file path (``assets/head-rules/collins.txt`` explains the notation), or
        rules already read.
    punctuation : bool
        False leaves punctuation (the Penn tags of ``Treebank.punctuation``) out before heads are sought, and
        sentences that hold nothing else.
    name : str, optional
        What to call the treebank; the file's name by default.

    Returns
    -------
    Treebank
        XPOS, heads, relations ``root`` and ``dep``; ``constituents`` has the phrases, function tags included.
        Sentences are numbered ``# sent_id = <file>-1``, ... by their place in the file.

    Raises
    ------
    FormatError : unbalanced brackets, a leaf without a tag, a tree without words, with file and line; bad rules.
    WorkbenchError : no such rules.

    Notes
    -----
    Traces (``-NONE-``) and the phrases that hold nothing else are removed. Escapes are undone: ``-LRB-`` is ``(``,
    ``\/`` is ``/``. Lines of remarks, which begin with ``;``, ``#``, ``%`` or ``/*``, are skipped. In the Penn parsed
    corpora of historical texts ``ID`` names the sentence, codes, ``*T*-1``, ``*con*`` and ``0`` are no words, and
    ``hann-hann`` is a form and its lemma. O(words + phrases x children); rules are asked once for each production of
    the file's grammar.
    """
    text, name, path = load_text(source, encoding, name)
    rules = load_head_rules(rules) if isinstance(rules, str) else rules
    sentences, phrases = [], []
    for number, tree in enumerate(_Reader(text, rules, frozenset() if punctuation else PENN, path).trees(), start=1):
        if tree.forms:
            sentences.append(tree.as_dict(tree.name or numbered_id(name, number)))
            phrases.append([phrase[1:] for phrase in sorted(tree.phrases)])
    if HELSINKI.search(text):
        _split_lemmas(sentences)
    if not sentences:
        raise FormatError("this file holds no tree with a word; choose one with a sentence", path=path)
    scanned = ScannedText.scanned(compose(sentences), SEVERAL_ROOTS_CONLLU)
    return Treebank(scanned, name=name, constituents=Constituents.from_lists(phrases))


def _split_lemmas(sentences):
    """Forms and lemmas of words nearly all of which are written ``form-lemma``."""
    split = {form: _halves(form) for sentence in sentences for form in sentence["forms"]}
    words = [split[form] for sentence in sentences for form in sentence["forms"]]
    if sum(all(halves) for halves in words) < LEMMATISED * len(words):
        return
    for sentence in sentences:
        sentence["lemmas"] = [split[form][1] for form in sentence["forms"]]
        sentence["forms"] = [split[form][0] or form for form in sentence["forms"]]


def _halves(form):
    """(form, lemma) around the hyphen in the middle, for both may have some, else around the last one."""
    places = [index for index, sign in enumerate(form) if sign == "-" and 0 < index < len(form) - 1]
    if not places:
        return form, ""
    hyphen = places[len(places) // 2] if len(places) % 2 else places[-1]
    return form[:hyphen], form[hyphen + 1 :]


class _Tree:
    """A tree whose brackets are being read: its words so far, and its phrases that are closed."""

    __slots__ = ("forms", "heads", "name", "opened", "phrases", "tags", "words")

    def __init__(self):
        self.forms, self.tags, self.heads = [], [], []  # columns of the words that are kept
        self.phrases = []  # (order, start, end, label), as they close
        self.name = ""
        self.opened, self.words = 0, 0  # phrases, and words that are no traces, kept or not

    def as_dict(self, sent_id):
        deprels = ["dep" if head else "root" for head in self.heads]
        return {"forms": self.forms, "xpos": self.tags, "heads": self.heads, "deprels": deprels, "sent_id": sent_id}


class _Phrase:
    """A bracket that is still open."""

    __slots__ = ("children", "heads", "is_empty", "label", "order", "position", "start")

    def __init__(self, label, order, start, position):
        self.label, self.order, self.start, self.position = label, order, start, position
        self.children, self.heads = [], []  # plain labels, and the number of each child's head word
        self.is_empty = True  # in the text: pruning may leave no children all the same


class _Reader:
    """Reads trees off bracketed text, one after another."""

    def __init__(self, text, rules, pruned, path):
        self.text, self.rules, self.path = text, rules, path
        self.is_helsinki = HELSINKI.search(text) is not None
        self.pruned = pruned | {TRACE} | (CODES if self.is_helsinki else frozenset())
        self.choices = {}  # (label, *labels of children) -> index of the head child: productions recur
        self.plain = {}  # label -> label without function tags

    def trees(self):
        """Yield the ``_Tree`` of each outermost bracket; pruning may leave it without words."""
        stack, tree = [], _Tree()
        for match in PIECE.finditer(self.text):
            remark, tag, word, label, stray = match.groups()
            if remark is not None:
                continue
            if tag is not None:
                self._add_leaf(tree, stack, tag, word)
            elif label is not None:
                tree.opened += 1
                stack.append(_Phrase(label, tree.opened, len(tree.forms) + 1, match.start()))
            elif stray is not None:
                wrong = f"{stray!r} stands outside any bracket; is this a file of trees?"
                if stack:
                    wrong = f"{stray!r} needs a bracket and a tag of its own: (TAG {stray})"
                raise self._error(wrong, match.start())
            elif not stack:
                raise self._error("a closing bracket without an opening one; remove it", match.start())
            else:
                self._close(tree, stack, match.start())
            if not stack:
                if not (tree.words or self.is_helsinki):
                    raise self._error("this tree holds no word, or traces only; remove it", match.start())
                yield tree
                tree = _Tree()
        if stack:
            count = f"{len(stack)} brackets are" if len(stack) > 1 else "a bracket is"
            raise self._error(f"{count} never closed; add what is missing", stack[0].position)

    def _add_leaf(self, tree, stack, tag, word):
        tree.words += tag != TRACE
        if stack:
            stack[-1].is_empty = False
        if self.is_helsinki and tag == NAME:
            tree.name = word
            return
        is_silent = SILENT.fullmatch(word) is not None and not (word == "0" and tag.startswith(NUMERALS))
        if tag in self.pruned or (self.is_helsinki and is_silent):
            return
        tree.forms.append(ESCAPED.get(word) or word.replace("\\/", "/").replace("\\*", "*"))
        tree.tags.append(tag)
        tree.heads.append(0)
        if stack:
            stack[-1].children.append(self._plain(tag))
            stack[-1].heads.append(len(tree.forms))

    def _close(self, tree, stack, position):
        """Percolate a head up from a finished phrase and attach the other children's to it."""
        phrase = stack.pop()
        if phrase.is_empty:
            inside = f"({phrase.label})"
            raise self._error(f"the bracket {inside} holds no word; write (TAG word) or remove it", position)
        if stack:
            stack[-1].is_empty = False
        if not phrase.children:
            return
        label, chosen = self._plain(phrase.label), 0
        if len(phrase.children) > 1:
            production = (label, *phrase.children)
            if production not in self.choices:
                self.choices[production] = self.rules.head_child(label, phrase.children)
            chosen = self.choices[production]
        head = phrase.heads[chosen]
        for word in phrase.heads:
            if word != head:
                tree.heads[word - 1] = head
        if len(phrase.children) == 1 and label in WRAPPERS:
            label = phrase.children[0]
        else:
            tree.phrases.append((phrase.order, phrase.start, len(tree.forms) + 1, phrase.label))
        if stack:
            stack[-1].children.append(label)
            stack[-1].heads.append(head)

    def _plain(self, label):
        if label not in self.plain:
            self.plain[label] = plain_label(label)
        return self.plain[label]

    def _error(self, message, position):
        return FormatError(message, path=self.path, line=self.text.count("\n", 0, position) + 1)
