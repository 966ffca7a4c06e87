"""The tokeniser of each language, and a note where one is missing.

It is spaCy's tokeniser of the language or of one written alike, else spaCy's multi-language one, ``xx``, which splits
at spaces and marks. Marks that separate words in any script do so in all.

A language without spaces between words needs a segmenter, an extra of its own. Without it Chinese is cut into
characters and Vietnamese into syllables, which are units that a linguist can join or work with. Japanese, Thai, Lao,
Khmer, Burmese and Tibetan are cut into sentences, and within them at spaces and marks alone.
"""

import re
from collections.abc import Iterable
from functools import cache, cached_property
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from core.errors import WorkbenchError
from core.extras import missing
from core.languages.marks import EMOJI, NOTE, PARTING, UNSPACED, stop_class
from core.languages.names import UNKNOWN, language_name

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokenizer import Tokenizer as SpacyTokenizer
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

MULTI = "xx"  # spaCy's code for many languages
LONGEST = 300  # characters without a space to which spaCy's rules are applied at once: they take quadratic time
MARKS = re.compile(r"[^\w\s]{40}")
SUFFIX = 10  # most characters of a suffix, without letters, digits, hyphens and full stops before them
LONG = re.compile(rf"\S{{{LONGEST + 1}}}")
PIECE = re.compile(rf"(?P<run>(\S)\2{{{LONGEST},}})(?P<space> ?)|\s*\S{{,{LONGEST}}}\s*", re.DOTALL)
# an emoji; marks that separate words in any script; also a full stop behind a combining mark, a letter like ʼ, a
# letter of a script without capitals, a mark that closes, or before the number of a note: left.[1]
PARTS = re.compile(
    f"({EMOJI}|[{re.escape(PARTING)}]|(?<=\\w)[.!?](?={NOTE}(?!\\S))|(?<=\\d\\])\\[(?=\\d)|"
    r"(?<=[\u02b0-\u036f\u0531-\u058f\u05d0-\u1dff\u1f00-\u1fff\u2c00-\ud7ff\U00010000-\U0001ffff\"”»)\]%])\.(?!\S))"
)
ALIKE = MappingProxyType({  # languages unknown to spaCy -> the language whose rules are used
    "no": "nb", "ku": "kmr", "arb": "ar", "ary": "ar", "arz": "ar", "apc": "ar", "acm": "ar", "hbo": "he", "fil": "tl",
    "cmn": "zh", "yue": "zh", "wuu": "zh", "nan": "zh", "hak": "zh", "gan": "zh", "lzh": "zh",
})  # fmt: skip
RULES = {"nlp": {"tokenizer": {"@tokenizers": "spacy.Tokenizer.v1"}}}  # spaces and marks, as for most languages
SEGMENTED = MappingProxyType({  # language -> extra, configuration of spaCy's tokeniser with it
    "zh": ("chinese", {"nlp": {"tokenizer": {"segmenter": "jieba"}}}),
    "ja": ("japanese", {}), "th": ("thai", {}), "vi": ("vietnamese", {}),
})  # fmt: skip
BY_RULES = ("ko",)  # spaCy's tokeniser needs a system library; treebanks have the words between spaces
CHARACTER = re.compile(r"[\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
SEGMENTED_AT_ONCE = 10_000  # characters
SEGMENTED_PIECE = re.compile(rf"[^{stop_class()}]{{,{SEGMENTED_AT_ONCE}}}[{stop_class()}]?", re.DOTALL)
EMOJIS = re.compile(f"({EMOJI})")
CHARACTER_OR_OTHER = re.compile(f"({CHARACTER.pattern})")
LONG_WORD, LONG_CHINESE = 6, 4  # mean letters of a word of an unspaced script: with more it was not tokenised


class Tokenizer(Protocol):
    """A tokeniser with the interface of spaCy's."""

    @property
    def vocab(self) -> "Vocab":
        """The vocabulary of its documents."""
        ...

    def __call__(self, text: str, /) -> "Doc":
        """The words of a text."""
        ...


class Cutting(NamedTuple):
    """The tokeniser of a language and its properties.

    Attributes
    ----------
    tokenizer : callable
        Text -> spaCy Doc.
    common : frozenset of str
        Common words with a capital, as at the beginning of a sentence.
    by_stretch : bool
        Whether it splits each stretch between spaces by itself.
    note : str or None
        On a missing segmenter.
    """

    tokenizer: Tokenizer
    common: frozenset[str]
    by_stretch: bool
    note: str | None


@cache
def cutting_of(language: str) -> Cutting:
    """The Cutting of a language's code."""
    code, extra, config, note = _choice(language)
    pipeline = _blank(code, config)
    tokenizer: Any = pipeline.tokenizer
    common = frozenset(word.capitalize() for word in pipeline.Defaults.stop_words if word.isalpha())
    rules = getattr(tokenizer, "rules", None)
    if rules is not None:
        _leave_out_attributes(pipeline.vocab)
        tokenizer = MarksTokenizer(tokenizer)
        tokenizer = BoundedTokenizer(CharacterTokenizer(tokenizer) if extra == "chinese" else tokenizer)
    else:
        tokenizer = Segmenter(tokenizer)
    by_stretch = rules is not None and all(len(rule.split()) <= 1 for rule in rules)
    return Cutting(tokenizer, common, by_stretch, note)


def spacy_languages() -> tuple[str, ...]:
    """Codes of the languages that spaCy has rules for."""
    spec = find_spec("spacy")  # not imported, which takes a second
    if spec is None or spec.origin is None:
        raise WorkbenchError("spaCy is not installed; run: pip install spacy")
    names = (path.name for path in (Path(spec.origin).parent / "lang").iterdir() if (path / "__init__.py").is_file())
    return tuple(sorted(name for name in names if name != MULTI))


def spacy_code(language: str) -> str:
    """spaCy's code for a language, or for one written alike; MULTI for others."""
    code = ALIKE.get(language, language)
    return code if code in spacy_languages() else MULTI


def cutting_note(language: str, forms: Iterable[str]) -> str | None:
    """A note on a text that was not fully tokenised into ``forms``, and what would help; or None.

    It depends on the script of the text, whatever its language. O(characters).
    """
    forms = list(forms)
    text = "".join(forms)
    has_unspaced = not text.isascii() and UNSPACED.search(text) is not None
    if not has_unspaced and ALIKE.get(language, language) != "vi":
        return None
    forms = [form for form in forms if UNSPACED.search(form) and any(map(str.isalpha, form))]
    note = cutting_of(language).note
    if note is not None:
        return note
    letters = sum(map(len, forms))
    least = LONG_CHINESE if sum(map(len, map(CHARACTER.findall, forms))) > letters / 3 else LONG_WORD
    if letters <= least * len(forms):
        return None
    name = "This text" if language == UNKNOWN else language_name(language)
    return (
        f"{name} is written without spaces between words, and nothing here cuts it into words: it is cut into "
        "sentences, and within them at spaces and marks; put spaces between the words to have them cut"
    )


def _choice(language):
    """(spaCy's code, the extra that is replaced or None, configuration, note or None) of a language."""
    code = ALIKE.get(language, language)
    if code in SEGMENTED:
        extra, config = SEGMENTED[code]
        lacking = missing(extra)
        if lacking is None and language != "lzh":  # in Literary Chinese words mostly have one character
            return code, None, config, None
        note = None if language == "lzh" else _note(language, code, lacking)
        return ("zh" if code == "zh" else MULTI), extra, RULES, note
    if code in BY_RULES:
        return code, None, RULES, None
    return spacy_code(language), None, {}, None


def _note(language, code, lacking):
    name = language_name(language)
    done = {
        "zh": f"{name} is cut into characters, each of them a word",
        "vi": f"{name} is cut into syllables, each of them a word",
    }.get(code, f"{name} is cut into sentences, and not into words")
    return f"{done}: {lacking[0].lower()}{lacking[1:]}"


def _blank(code, config) -> "Language":
    """spaCy's pipeline of a language with only its tokeniser."""
    import spacy  # takes a second, and most corpora are tokenised

    try:
        return spacy.blank(code, config=config)
    except ImportError as error:
        reason = str(error).split("\n")[0]
        raise WorkbenchError(f"spaCy cannot tokenise {code!r}: {reason}") from None


def _leave_out_attributes(vocab):
    """Compute no attribute of new words but IS_SPACE: shapes and others would take a third of the time."""
    from spacy.attrs import IS_SPACE

    vocab.lex_attr_getters = {IS_SPACE: vocab.lex_attr_getters[IS_SPACE]}


class MarksTokenizer:
    """spaCy's tokeniser, with a faster search for suffixes in sequences of many marks.

    For each mark that spaCy takes off the end of a stretch, it searches the whole stretch for the suffix. But a suffix
    is full stops, or at most ``SUFFIX`` characters behind a word or number, as in Greek. So the search can start there.
    """

    def __init__(self, inner: "SpacyTokenizer"):
        self.inner, self.vocab = inner, inner.vocab

    def __call__(self, text: str) -> "Doc":
        """The spaCy Doc of a text."""
        return (self._quick if MARKS.search(text) else self.inner)(text)

    @cached_property
    def _quick(self):
        from spacy.tokenizer import Tokenizer

        inner, search = self.inner, self.inner.suffix_search
        return Tokenizer(
            self.vocab, inner.rules, inner.prefix_search,
            lambda string: search(string, _suffix_start(string)),
            inner.infix_finditer, inner.token_match, inner.url_match,
        )  # fmt: skip


def _suffix_start(string):
    """The earliest position of a suffix in a stretch."""
    start = max(0, len(string.rstrip(".")) - SUFFIX)
    while start and (string[start - 1].isalnum() or string[start - 1] in "-."):
        start -= 1
    return start


class BoundedTokenizer:
    """A tokeniser by rules that splits at the marks of all scripts, in linear time.

    A long run of one character is a word, and other long stretches are cut into pieces first. Stretches of at most
    ``LONGEST`` characters between marks are left to the inner tokeniser.
    """

    def __init__(self, inner: Tokenizer):
        self.inner, self.vocab = inner, inner.vocab

    def __call__(self, text: str) -> "Doc":
        """The spaCy Doc of a text."""
        if not LONG.search(text) and ((text.isascii() and "]" not in text) or not PARTS.search(text)):
            return self.inner(text)
        words = []
        for number, part in enumerate(PARTS.split(text)):
            words += [(part, False)] if number % 2 else self._words(part)
        return _document(self.inner.vocab, words)

    def _words(self, text):
        """(form, whether a space follows) for the words of a text without such marks."""
        if not LONG.search(text):
            return _words(self.inner(text))
        words = []
        for piece in PIECE.finditer(text):
            words += [(piece["run"], bool(piece["space"]))] if piece["run"] else _words(self.inner(piece[0]))
        return words


class CharacterTokenizer:
    """A tokeniser by rules for which each Chinese character is a word; other words stay whole."""

    def __init__(self, inner: Tokenizer):
        self.inner, self.vocab = inner, inner.vocab

    def __call__(self, text: str) -> "Doc":
        """The spaCy Doc of a text."""
        words = []
        for word, space in _words(self.inner(text)):
            parts = [(part, False) for part in CHARACTER_OR_OTHER.split(word) if part]
            words += [*parts[:-1], (parts[-1][0], space)]
        return _document(self.vocab, words)


class Segmenter:
    """A segmenter applied piece by piece, since some refuse more than 49,149 bytes at once."""

    def __init__(self, inner: Tokenizer):
        self.inner, self.vocab = inner, inner.vocab

    def __call__(self, text: str) -> "Doc":
        """The spaCy Doc of a text."""
        emoji = EMOJIS.search(text)
        if len(text) <= SEGMENTED_AT_ONCE and not emoji:
            return self.inner(text)
        words = []
        for number, part in enumerate(EMOJIS.split(text) if emoji else [text]):
            pieces = SEGMENTED_PIECE.findall(part)
            words += [(part, False)] if number % 2 else [word for piece in pieces for word in _words(self.inner(piece))]
        return _document(self.inner.vocab, words)


def _words(document):
    """(form, whether a space follows) for the words of a document."""
    return [(token.text, bool(token.whitespace_)) for token in document]


def _document(vocab, words):
    from spacy.tokens import Doc

    return Doc(vocab, words=[form for form, _ in words], spaces=[space for _, space in words])
