"""Small corpora in shards, and the same in memory."""

from core.markup.reader import Extracting
from core.parsers.english import NAME
from core.parsers.sharded import PARSE, TAG, Annotation, annotate_shards
from core.shards import Shards
from core.treebank import Treebank, conllu_text, read_conllu
from tests.shards.crawl import extract, folder, sample_pages

SUBJECTS, VERBS = ("The old man", "A <i>very small</i> house", "This dog"), ("sees", "likes", "finds")
OBJECTS = ("the <a href='x'>red door</a>, not the wall", "bread", "two big books of hers")


def in_memory(shards: Shards) -> Treebank:
    """The sentences of all shards as one file has them."""
    text = "".join(conllu_text(piece.treebank()) for piece in shards)
    return read_conllu(text.encode(), name=shards.name)


def sample_shards(place, most=None, part_size=10_000) -> Shards:
    """The sample's pages, ``most`` of them, without tags."""
    pages = dict(list(sample_pages().items())[:most])
    return extract([folder(place / "pages", pages)], place / "shards", part_size=part_size).shards


def parsed(shards: Shards, place) -> Shards:
    """The same with trees."""
    return annotate_shards(shards, place, Annotation(PARSE, NAME))


def tagged_shards(place) -> Shards:
    """Short sentences with tags and brackets."""
    pages = {}
    for number in range(9):
        text = [f"<p>{SUBJECTS[number % 3]} {verb} {thing}, number {number}." for verb in VERBS for thing in OBJECTS]
        pages[f"{number}.html"] = "".join(text).encode()
    source = folder(place / "pages", pages)
    plain = extract([source], place / "plain", Extracting(repeats=True), part_size=1500).shards
    tagged = annotate_shards(plain, place / "tagged", Annotation(TAG, NAME))
    assert len(tagged) > 2 and any(row["brackets"] for row in tagged.rows)
    return tagged
