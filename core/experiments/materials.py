"""The corpora of each experiment, by their roles in it."""

from dataclasses import replace

from core.experiments import corpora
from core.experiments.experiment import DataUse


def _languages(*of):
    """A DataUse of each corpus, as a language."""
    return tuple(DataUse("a language", corpus) for corpus in of)


def later(material: DataUse) -> DataUse:
    """The same, which a quick run does not read."""
    return replace(material, quick=False)


JOURNAL = (DataUse("news with phrase trees", corpora.WSJ),)
PHRASES = (DataUse("news with phrase trees", corpora.WSJ, corpora.WSJ.files[1:]),)
NEWS = (DataUse("English, and tags", corpora.WSJ, corpora.WSJ.files[:1]),)
PAGES = (
    DataUse("the blog", corpora.BLOG), DataUse("news pages", corpora.NEWS), DataUse("the web", corpora.WEB),
)  # fmt: skip
WEB = (DataUse("the text out of domain", corpora.EWT, corpora.EWT.files[2:]),)
WEB_TREES = (DataUse("web text to train on", corpora.EWT, corpora.EWT.files[:1]),)
WEB_PARTS = (DataUse("web text to train and test on", corpora.EWT, corpora.EWT.files[::2]),)
INDUCTION = JOURNAL + PAGES + WEB
FLIGHTS = DataUse("flight requests", corpora.ATIS)
ASKED = DataUse("which sentences are questions", corpora.QUESTIONS)
QUESTIONS = (*WEB_PARTS, ASKED, FLIGHTS)
CONLL = _languages(corpora.DUTCH, corpora.SPANISH, corpora.TURKISH)
SPANISH = _languages(corpora.SPANISH)
FIVE = (*NEWS, *SPANISH, *map(later, _languages(corpora.JAPANESE, corpora.BULGARIAN, corpora.GERMAN)))
THREE = (*NEWS, *map(later, _languages(corpora.SPANISH, corpora.BULGARIAN)))
DOMAINS = (DataUse("source and targets", corpora.EWT), *map(later, (ASKED, FLIGHTS)))
SCHEMES = (
    DataUse("two schemes of the same sentences", corpora.BEGINNER), DataUse("the first scheme", corpora.CHINESE),
    DataUse("the second scheme", corpora.SINICA),
)  # fmt: skip
BOTH = _languages(corpora.BULGARIAN, corpora.GERMAN)
OTHERS = (corpora.UD_SPANISH, corpora.JAPANESE, corpora.UD_DUTCH, corpora.TURKISH, corpora.CHINESE)
EIGHT = (*BOTH, *_languages(*OTHERS), *WEB_TREES)
TWO_OF_EIGHT = (*BOTH, *map(later, EIGHT[len(BOTH) :]))
HELD_OUT = (
    DataUse("languages", corpora.POOL), *WEB_TREES,
    *(DataUse("a language", each, each.files[:1]) for each in (corpora.UD_SPANISH, corpora.UD_DUTCH)),
)  # fmt: skip
STEERED = (*HELD_OUT, *map(later, PHRASES))
TAGGED = (
    *HELD_OUT, *map(later, WEB), *map(later, _languages(corpora.TURKISH, corpora.CHINESE_NOW)),
    later(DataUse("more Chinese", corpora.CHINESE, corpora.CHINESE.files[:1])),
)  # fmt: skip
TWO = _languages(corpora.GERMAN, corpora.TURKISH)
LADDER = (*PHRASES, *TWO)
ADDED = (*LADDER, *PAGES, *WEB_TREES)
WEAK = (DataUse("parsers as weak as the papers'", corpora.EWT),)
