"""The texts: three sets of pages for the paper's blog, news and web, or pages of one's own; the WSJ to score on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from core.errors import WorkbenchError
from core.experiments import corpora
from core.experiments.experiment import Environment
from core.experiments.files import journal_text
from core.markup import Extraction, extract_sentences, marked_sentences
from core.markup.comments import treebank_brackets
from core.markup.marked import merged
from core.markup.partial import Partial
from core.parsers import English
from core.shards import Shards, is_folder
from core.treebank import Treebank, read_treebank
from core.treebank.retag import interned, with_column
from core.treebank.schemes import to_function_heads
from core.trees.brackets import Bracket

STRETCH = "stretch"  # tag of the words between two punctuation marks
QUICK_SENTENCES = 300  # sentences of each text in a quick run
DRAWN = 0.85  # share of the sentences in a random draw
TO_PENN = {"HYPH": ":", "NFP": ":", "ADD": "NNP", "GW": "NN", "AFX": "JJ", "XX": "FW", "LS": "CD"}
JOURNAL = (
    "The WSJ sample is 3,914 sentences: files 1 to 99 train (part of section 00), 100 to 119 choose settings, 120 to "
    "199 stand for section 23; Collins' heads after punctuation is removed. The paper trains on 49,208 sentences."
)
NOTES = [
    "Three sets of pages stand for the paper's: a daily blog (Scripting News of 2019) for its blog, a news digest "
    "(Debian Weekly News) for its web news, and an essay collection (An Anarchist FAQ) for its web; each has five to "
    "ten thousand sentences, for the paper's 57,809, two thousand million and nine thousand million.",
    JOURNAL,
]


@dataclass(frozen=True)
class Genre:
    """A set of pages that stands for the paper's corpus of this name, or pages of one's own.

    ``path`` is a folder of the data, or the path of one's own pages; ``quick_pages`` are read for a glance.
    """

    name: str
    path: str
    quick_pages: int


GENRES = (
    Genre("blog", corpora.BLOG.train, 30),
    Genre("news", corpora.NEWS.train, 12),
    Genre("web", corpora.WEB.train, 1),
)
OWN = Genre("pages", "", 30)


@dataclass(frozen=True, eq=False)
class Marked:
    """Sentences with brackets, those of each sentence in its place of ``brackets``."""

    treebank: Treebank
    brackets: list


@dataclass(frozen=True, eq=False)
class Journal:
    """The WSJ sample's parts and the out-of-domain text, without punctuation; their brackets are its stretches."""

    train: Marked
    development: Marked
    test: Marked
    other: Marked


def is_marked_text(env: Environment) -> bool:
    """Whether the text at hand is itself what is marked."""
    return env.text is not None and env.pages is None and not env.text.pages


def genres(env: Environment) -> tuple[Genre, ...]:
    """The sets of pages that a env has: the pages that it was given, else the three; one of a text that is marked."""
    if env.pages is not None:
        return (replace(OWN, path=str(env.pages.absolute())),)
    return GENRES if env.text is None or env.text.pages else (replace(OWN, path=env.text.name),)


def genre_named(name: str, genres: Sequence[Genre] = (*GENRES, OWN)) -> Genre:
    """The Genre; WorkbenchError for another name."""
    by_name = {genre.name: genre for genre in genres}
    if name not in by_name:
        raise WorkbenchError(f"there is no set of pages {name!r}; choose one of {', '.join(by_name)}")
    return by_name[name]


def pages(env: Environment, genre: Genre) -> Extraction:
    """The Extraction of a set of pages. WorkbenchError where they are not there, or hold no sentence."""
    source, kept = _source(env, genre), Partial()
    extraction = extract_sentences(
        source, resume=kept, cancel=lambda: env.quick and kept.report.pages >= genre.quick_pages
    )
    if not len(extraction.treebank):
        raise WorkbenchError(f"no sentence was found in {genre.path}: {kept.report.why_nothing}; name other pages")
    env.say(f"{genre.name}: {len(extraction.treebank):,} sentences, {extraction.report.brackets:,} brackets")
    return extraction


def page_sentences(env: Environment, genre: Genre) -> tuple[Treebank, Sequence]:
    """(sentences, brackets of each) of a set of pages, or of the text at hand with its own tags and trees."""
    if env.text is not None and is_marked_text(env):
        text = env.text.treebank
        return text, marked_sentences(text, treebank_brackets(text))
    extraction = pages(env, genre)
    return extraction.treebank, extraction.brackets


def _source(env, genre):
    """The folder of a set of pages, or the pages of the text at hand."""
    if _is_at_hand(env):
        return env.text.pages[genre.name]
    path = (env.data or Path()) / genre.path
    if not path.exists():
        raise WorkbenchError(f"this experiment reads {genre.path}, which is not in {env.data}; give its folder")
    return path


def _is_at_hand(env):
    """Whether sets of pages are those of a text at hand."""
    return env.text is not None and env.pages is None


def marked_text(env: Environment, genre: Genre, punctuation: bool = False) -> Marked:
    """A Marked to train on: tags mapped to the WSJ's, punctuation removed, brackets renumbered.

    With ``punctuation`` the stretches between punctuation marks are brackets too. Of a folder of shards no more than
    one at a time is tagged. WorkbenchError where no stretch of several words is marked.
    """
    parts = [_marked(env, treebank, punctuation) for treebank in _treebanks(env, genre)]
    text = parts[0] if env.pages is None else concatenate(*parts)
    if not any(len(mark) > 1 for marks in text.brackets for mark in marks):
        raise WorkbenchError(
            f"in {genre.path} no stretch of several words is a link, bold or in italics; name pages with mark-up"
        )
    return text


def _treebanks(env, genre):
    """The sentences of a set of pages, of each shard by itself where it is a folder of them."""
    if is_marked_text(env):
        yield env.text.treebank
        return
    path = (env.data or Path()) / genre.path
    if _is_at_hand(env) or not is_folder(path):
        yield pages(env, genre).treebank
        return
    shards = Shards(path)
    env.say(f"{genre.name}: {shards.sentences:,} sentences in {len(shards):,} shards")
    for piece in shards.pieces[: 1 if env.quick else None]:
        yield piece.treebank()


def _marked(env, treebank, punctuation):
    """A Marked of sentences without tags, or of a text that has some."""
    if env.quick:
        treebank = treebank.limit(QUICK_SENTENCES)
    tagged = treebank if is_marked_text(env) else to_penn(English.load().xpos.tag(treebank))
    words = tagged.without_punctuation()
    marks = marked_sentences(words, treebank_brackets(words))
    if punctuation:
        marks = [merged([*one, *other]) for one, other in zip(marks, stretches(tagged), strict=True)]
    return Marked(words, marks)


def stretches(treebank: Treebank) -> list[list[Bracket]]:
    """Brackets between punctuation marks, of each sentence with a word, numbered as if there were no punctuation.

    Those of one word, and of a whole sentence, say nothing and are left out.
    """
    is_mark, brackets = treebank.punctuation(), []
    for begin, end in zip(treebank.offsets[:-1].tolist(), treebank.offsets[1:].tolist(), strict=True):
        word, start, marks = 0, 1, []
        for mark in (*is_mark[begin + 1 : end].tolist(), True):
            if not mark:
                word += 1
                continue
            if word > start:
                marks.append(Bracket(start, word + 1, STRETCH))
            start = word + 1
        if word:
            brackets.append([mark for mark in marks if len(mark) < word])
    return brackets


def to_penn(treebank: Treebank) -> Treebank:
    """The treebank with the tags of web text that the WSJ lacks replaced by its own, and ``to`` always TO."""
    column = treebank.xpos
    values = [TO_PENN.get(value) or value for value in column.values] + ["TO"]
    is_to = treebank.form.mask(lambda form: form.lower() == "to")
    return with_column(treebank, "xpos", interned(np.where(is_to, len(column.values), column.ids), values))


def parsed_marked(env: Environment, genre: Genre) -> tuple[Marked, Marked]:
    """Marked of the sentences with mark-up under UD trees, our parser's or theirs, and with function words as heads."""
    treebank, every = page_sentences(env, genre)
    chosen = [index for index, marks in enumerate(every) if marks]
    brackets = [every[index] for index in chosen]
    if not brackets:
        raise WorkbenchError(f"in {genre.path} nothing is marked; name pages with mark-up")
    parsed = treebank.select(chosen)
    parsed = parsed if is_marked_text(env) else English.load().parse(parsed)
    return Marked(parsed, brackets), Marked(to_function_heads(parsed), brackets)


def journal(env: Environment) -> Journal:
    """The parts of the WSJ sample, and EWT's test text; or those of the text at hand, and its questions."""
    trees, part = journal_text(env)
    whole = Marked(trees, stretches(journal_text(env, punctuation=True)[0]))
    english = _out_of_domain(env)
    # UD tells punctuation by its own tags, the WSJ by Penn's: symbols stay words here, as their trees have them
    other = Marked(english.without_punctuation(), stretches(english))
    texts = [_picked(whole, np.flatnonzero(part == number)) for number in range(3)] + [other]
    if env.quick:
        texts = [_picked(text, range(min(QUICK_SENTENCES, len(text.treebank)))) for text in texts]
    train, development, test, other = texts
    counts = [len(text.treebank) for text in texts]
    env.say(f"WSJ: {counts[0]:,} sentences to train on, {counts[1]:,} to choose, {counts[2]:,} to test")
    return Journal(train, development, test, other)


def _out_of_domain(env):
    """EWT's test text or the questions of the text at hand, function words as heads and with Penn's tags."""
    if env.text is None:
        return to_penn(to_function_heads(read_treebank(env.file(corpora.EWT.test))))
    questions = env.text.questions
    return to_penn(to_function_heads(questions)) if len(questions) else questions


def _picked(text, chosen):
    return Marked(text.treebank.select(np.asarray(chosen)), [text.brackets[index] for index in chosen])


def shortened(text: Marked, most: int | None) -> Marked:
    """The sentences of a Marked of at most ``most`` words; all for None."""
    return text if most is None else _picked(text, np.flatnonzero(text.treebank.lengths <= most))


def trimmed(text: Marked) -> Marked:
    """The sentences of a Marked with a bracket of several words."""
    return _picked(text, [index for index, marks in enumerate(text.brackets) if any(len(mark) > 1 for mark in marks)])


def drawn(text: Marked, number: int) -> Marked:
    """A random share of the sentences of a Marked, another one for each number; all of them for 0."""
    if number == 0:
        return text
    return _picked(text, np.flatnonzero(np.random.default_rng(number).random(len(text.treebank)) < DRAWN))


def concatenate(*texts: Marked) -> Marked:
    """One Marked, for training, of several."""
    sentences = (
        {"forms": sentence.forms[1:], "xpos": sentence.xpos[1:]} for text in texts for sentence in text.treebank
    )
    treebank = Treebank.from_sentences(sentences, name="texts")
    return Marked(treebank, [marks for text in texts for marks in text.brackets])
