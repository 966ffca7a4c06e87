"""The texts: what stands in for the paper's, cut as the paper cuts them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from core.experiments import corpora
from core.experiments.experiment import Environment
from core.experiments.files import SENTENCES, file_numbers, file_parts, question_ids
from core.experiments.rush2012.figures import SIZES
from core.parsers.self_training import concatenate
from core.treebank import Treebank, read_treebank

TEST_WORDS = 25_000
QUICK_WORDS = 4_000  # words of test text in a quick run
QUICK_SIZES = (50, 100)
QUICK_SENTENCES = 400  # sentences of the large training text in a quick run

DATA = [
    "English is the WSJ sample: the first sentences of files 1 to 99 (part of section 00) train, files 120 to 199 "
    "test, for sections 00 and 23; heads are Penn-style, and there are no universal tags. Spanish is the 3LB treebank "
    "in CoNLL-X form, its test file and the end of its training file, 25,000 words, as in the paper.",
    "German, Bulgarian and Japanese are UD treebanks, other texts and guidelines than CoNLL-X: the official tests as "
    "they are, and sentences from the development file to train on. Japanese is written text; the paper's, easy "
    "spoken dialogue, is not comparable.",
]
SCORING = (
    "Accuracy is unlabelled attachment without punctuation, what the CoNLL-X script counts; with_punctuation counts "
    "all words."
)
SETTINGS = (
    "All settings of consistency are one for all languages and sizes of a task, chosen on WSJ files 100 to 119 and EWT "
    "dev only."
)
GAINS = (
    "Our parser alone is the stronger one (English, 100 sentences: 73.97 in the paper), and consistency gains less. On "
    "the development text, where a context's majority head disagrees with the parser, even in near ties, it is right "
    "no more often than the parser, whose features hold the same tags: so the best bonuses are small."
)


@dataclass(frozen=True)
class Language:
    """A treebank of the lightly supervised experiments; ``fill`` fills up the test text from the training text's end.

    ``corpus`` is None for one that is cut by ``news_parts``.
    """

    name: str
    code: str
    corpus: corpora.DataSet | None = None
    fill: bool = False


LANGUAGES = (
    Language("Japanese", "ja", corpora.JAPANESE),
    Language("English", "en"),
    Language("Spanish", "es", corpora.SPANISH, fill=True),
    Language("Bulgarian", "bg", corpora.BULGARIAN),
    Language("German", "de", corpora.GERMAN),
)


@dataclass(frozen=True, eq=False)
class Texts:
    """The training and test text of one setting; ``tags`` as for MSTParser."""

    name: str
    train: Treebank
    test: Treebank
    tags: str | None = None

    def sized(self, size: int) -> "Texts":
        """These texts with the first sentences of the training text only."""
        return Texts(f"{self.name} {size}", self.train.limit(size), self.test, self.tags)


def languages(env: Environment, chosen: Sequence[Language] = LANGUAGES) -> tuple[list[Language], dict[str, str]]:
    """(languages to run, why each other one cannot be, by its name); a text at hand stands for its own language."""
    if env.text is None:
        return [*(LANGUAGES[1:3] if env.quick else chosen)], {}
    code = env.text.language
    own = next((each for each in LANGUAGES if each.code == code), Language(env.text.name, code))
    why = {each.name: env.text.no_text(each.name) for each in chosen if each.code != code}
    return [Language(own.name, code)], why


def sizes(env: Environment, train: Treebank | None = None) -> tuple[list[int], dict[int, str]]:
    """(training sizes to run, why each other one cannot be): a text at hand may have fewer sentences to train on."""
    wanted = [*(QUICK_SIZES if env.quick else SIZES)]
    if env.text is None or train is None:
        return wanted, {}
    why = f"{env.text.name} has {len(train)} sentences to train on"
    return [size for size in wanted if size <= len(train)], {size: why for size in wanted if size > len(train)}


def language_texts(env: Environment, language: Language) -> Texts:
    """Texts of one language, the training text whole."""
    if language.corpus is None:
        train, _, test = news_parts(env)
    else:
        train, test = (read_treebank(env.file(name)) for name in language.corpus.files)
        if language.fill:
            test = concatenate(test, last_words(train, TEST_WORDS - test.token_count))
    texts = Texts(language.name, train, shortened(env, test))
    env.say(f"{language.name}: {len(texts.test):,} test sentences, {texts.test.token_count:,} words")
    return texts


def news_parts(env: Environment) -> tuple[Treebank, ...]:
    """The training, development and test files of the WSJ sample, or parts of the text at hand."""
    if env.text is not None:
        return env.text.cut(env.text.function_heads)
    text = read_treebank(env.file(SENTENCES))
    parts = file_parts(file_numbers(text))
    return tuple(text.select(parts == part) for part in range(3))


def domain_texts(env: Environment) -> tuple[Texts, ...]:
    """Non-questions to questions and back within EWT, and to flight requests, which have universal tags only."""
    if env.text is not None:
        return _domains_at_hand(env)
    ids, parts = question_ids(env), {}
    for split, name in (("train", corpora.EWT.train), ("test", corpora.EWT.test)):
        text = read_treebank(env.file(name))
        asks = np.array([sentence.sent_id in ids for sentence in text])
        parts[split] = text.select(~asks), text.select(asks)
    statements, questions = parts["train"]
    if env.quick:
        statements = statements.limit(QUICK_SENTENCES)
    flights = concatenate(*(read_treebank(env.file(name)) for name in corpora.ATIS.files))
    domains = (
        Texts("statements -> questions", statements, concatenate(questions, parts["test"][1])),
        Texts("questions -> statements", questions, parts["test"][0]),
        Texts("statements -> flight requests", statements, flights, "upos"),
    )
    return tuple(_domain(env, pair) for pair in domains)


def _domains_at_hand(env):
    """Statements to questions and back, in the text at hand."""
    statements, questions = env.text.asked()
    there = Texts("statements -> questions", statements, questions)
    back = Texts("questions -> statements", questions, statements)
    return _domain(env, there), _domain(env, back)


def _domain(env, texts):
    """The Texts, shortened in a quick run, which are announced."""
    env.say(
        f"{texts.name}: {len(texts.train):,} training sentences; test {len(texts.test):,} sentences, "
        f"{texts.test.token_count:,} words"
    )
    return Texts(texts.name, texts.train, shortened(env, texts.test), texts.tags)


def last_words(treebank: Treebank, count: int) -> Treebank:
    """The fewest last sentences that have ``count`` words together."""
    following = np.cumsum(treebank.lengths[::-1])[::-1]  # words from each sentence to the end
    return treebank.select(following - treebank.lengths < count)


def shortened(env: Environment, test: Treebank) -> Treebank:
    """The first sentences, where only a glance is wanted."""
    return test.select(np.cumsum(test.lengths) <= QUICK_WORDS) if env.quick else test


def size_note(texts: Iterable[Texts]) -> str:
    """One sentence on the sizes of test texts."""
    sized = "; ".join(f"{pair.name} {len(pair.test):,} sentences, {pair.test.token_count:,} words" for pair in texts)
    return f"Test texts: {sized}."
