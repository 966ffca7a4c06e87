"""Web pages to sentences with brackets, beside the tools one would do it with by hand, in the same run."""

from time import process_time

import pytest
import spacy
from bs4 import BeautifulSoup

from core.markup import extract_sentences

FOLDERS = ("scripting-news", "anarchist-faq", "debian-weekly-news")


@pytest.fixture(scope="module")
def pages(shared_data, most):
    found = [path.read_bytes() for folder in FOLDERS for path in sorted((shared_data / "html" / folder).glob("*.html"))]
    return found[: most(len(found), 5)]


def by_hand(pages):
    """The least that any way with these tools must do: a tree, its text, words and sentences; no bracket yet."""
    pipeline = spacy.blank("en")
    pipeline.add_pipe("sentencizer")
    texts = [BeautifulSoup(page, "html.parser").get_text(" ") for page in pages]
    return sum(1 for document in pipeline.pipe(texts) for _ in document.sents)


def seconds(function, *arguments):
    begin = process_time()
    function(*arguments)
    return process_time() - begin


def test_pages_a_second(benchmark, pages):
    extract_sentences("<p>The tokeniser is loaded. So are the kernels.\n")
    size = sum(map(len, pages)) / 1e6
    ours = min(seconds(extract_sentences, pages) for _ in range(2))
    theirs = seconds(by_hand, pages)
    benchmark.extra_info["MB a second of one core"] = round(size / ours, 2)
    benchmark.extra_info["ratio"] = round(theirs / ours, 2)
    print(f"\n{size:.1f} MB: {size / ours:.2f} MB/s a core; by hand {size / theirs:.2f}")
    benchmark.pedantic(extract_sentences, (pages[:50],), rounds=1)


def test_pages_a_second_with_selectors(benchmark, pages):
    def chosen(pages):
        return extract_sentences(
            pages, select="body", drop=":--furniture, .comments, table table", marks="dfn, span.term, [style*=italic]"
        )

    chosen(pages[:2])
    with_none, with_some = (min(seconds(read, pages) for _ in range(2)) for read in (extract_sentences, chosen))
    benchmark.extra_info["ratio"] = round(with_none / with_some, 2)
    print(f"\nwith six selectors {with_none / with_some:.2f} of the speed without")
    benchmark.pedantic(chosen, (pages[:50],), rounds=1)
