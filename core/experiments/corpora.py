"""The corpora that experiments read: the files of each, its licence, where it comes from and how it is converted.

Said here once: experiments read these files, what is missing is named by them, and the guide's table lists them.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class DataSet:
    """A treebank, a list or a set of pages under the folder of the data.

    Attributes
    ----------
    name : str
    files : tuple of str
        Paths under the folder; of a treebank in parts the training text stands first, the test text last. A folder of
        pages ends in a slash.
    licence, source : str
        ``source`` says where it is to be had.
    conversion : str
        How the files are made of it; "" where they are taken as they are.
    """

    name: str
    files: tuple[str, ...]
    licence: str
    source: str
    conversion: str = ""

    @property
    def train(self) -> str:
        """The file of the training text."""
        return self.files[0]

    @property
    def test(self) -> str:
        """The file of the test text."""
        return self.files[-1]


def _ud(name, treebank, licence, begin="train", conversion=""):
    """A treebank of Universal Dependencies in two files."""
    files = f"ud/{treebank}-{begin}.conllu", f"ud/{treebank}-test.conllu"
    source = f"UniversalDependencies, UD_{name.replace(' ', '-')}"
    return DataSet(f"UD {name}", files, licence, source, conversion)


NC, SA = "CC BY-NC-SA", "CC BY-SA 4.0"
OF_DEV = "sentences of the development file stand for the training text: {}"
WSJ = DataSet(
    "WSJ sample", ("en-wsj/wsj-sample.conllu", "en-wsj/wsj-sample-phrase/wsj-sample.mrg"),
    "LDC, not for commercial use", "NLTK data, `dependency_treebank` and `treebank`",
    "the 199 files in their order, `sent_id` as in `wsj_0001-001`; phrase trees one a line, of the same sentences",
)  # fmt: skip
EWT = DataSet(
    "UD English EWT", ("en-ewt/ewt-train.conllu", "en-ewt/ewt-dev.conllu", "en-ewt/ewt-test.conllu"), SA,
    "UniversalDependencies, UD_English-EWT", "`sent_id` begins with the genre, as released",
)  # fmt: skip
ATIS = DataSet(
    "UD English ATIS", ("en-questions/atis-train.conllu", "en-questions/atis-test.conllu"), SA,
    "UniversalDependencies, UD_English-Atis", "of the training file the first 1,200 sentences",
)  # fmt: skip
QUESTIONS = DataSet(
    "Questions of EWT", ("en-questions/ewt-question-ids.tsv",), SA, "UD English EWT",
    "a table with a column `sent_id`: the sentences that end in a question mark",
)  # fmt: skip
BLOG = DataSet(
    "Scripting News", ("html/scripting-news/",), "of the author", "github.com/scripting/Scripting-News",
    "the pages of 2019",
)  # fmt: skip
NEWS = DataSet(
    "Debian Weekly News", ("html/debian-weekly-news/",), "Open Publication License; MIT or GPL-2+",
    "the site of Debian, `News/weekly`", "the issues of 1999, 2000 and 2010 to 2013 without lines that begin with `#`",
)  # fmt: skip
WEB = DataSet(
    "An Anarchist FAQ", ("html/anarchist-faq/",), "GPL-2", "the Debian package `anarchism`", "the pages of A and G"
)
DUTCH = DataSet(
    "Dutch newspaper text", ("nl-cdbl/nl_cdbl-train.conllu", "nl-cdbl/nl_cdbl-test.conllu"), "by its author's leave",
    "NLTK data, `alpino`", "phrase trees to arcs by the head of each phrase; the first 2,500 and last 600 sentences",
)  # fmt: skip
SPANISH = DataSet("Spanish 3LB", ("conllx/esp.train", "conllx/esp.test"), "CC BY-NC-ND", "NLTK data, `conll2007`")
TURKISH = _ud("Turkish IMST", "tr_imst", f"{NC} 4.0")
JAPANESE = _ud("Japanese GSD", "ja_gsd", SA, "train-from-dev", OF_DEV.format("all"))
BULGARIAN = _ud("Bulgarian BTB", "bg_btb", f"{NC} 3.0", "train-from-dev", OF_DEV.format("the first 600"))
GERMAN = _ud("German GSD", "de_gsd", SA, "train-from-dev", OF_DEV.format("all"))
UD_SPANISH = _ud("Spanish GSD", "es_gsd", SA, "train-from-dev", OF_DEV.format("the first 500"))
UD_DUTCH = _ud("Dutch Alpino", "nl_alpino", SA, "train-from-dev", OF_DEV.format("all"))
CHINESE = DataSet(
    "UD Chinese GSD, version 1", ("ud/zh_gsd-v1-train.conllu", "ud/zh_gsd-v1-test.conllu"), SA,
    "UniversalDependencies, UD_Chinese-GSD of April 2016", "of the training file the first 1,900 sentences",
)  # fmt: skip
CHINESE_NOW = DataSet(
    "UD Chinese GSD", ("ud/zh_gsd-test.conllu",), SA, "UniversalDependencies, UD_Chinese-GSD", "the test file"
)
BEGINNER = DataSet(
    "Chinese learners' sentences", ("hetero/zh-beginner.ud.conllu", "hetero/zh-beginner.sud.conllu"), f"{NC} 3.0",
    "UniversalDependencies and surfacesyntacticud, Chinese-Beginner", "the five levels, one after the other",
)  # fmt: skip
SINICA = DataSet(
    "Sinica Treebank sample", ("hetero/zh-sinica-train.conllu", "hetero/zh-sinica-test.conllu"), f"{NC} 2.5",
    "NLTK data, `sinica_treebank`", "phrase trees to arcs by their Head; every 18th sentence of 4 words or more tests",
)  # fmt: skip
POOL = DataSet(
    "49 languages", ("ud-pool/README.md",), "CC BY, CC BY-SA or public domain, each as its file says",
    "UniversalDependencies", "up to 800 sentences a language; a table in README.md names file, language and genus",
)  # fmt: skip
CORPORA = (
    WSJ, EWT, ATIS, QUESTIONS, BLOG, NEWS, WEB, DUTCH, SPANISH, TURKISH, JAPANESE, BULGARIAN, GERMAN, UD_SPANISH,
    UD_DUTCH, CHINESE, CHINESE_NOW, BEGINNER, SINICA, POOL,
)  # fmt: skip
