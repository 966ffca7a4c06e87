"""What is read of web pages: selectors that a project remembers for each site, and what they keep of first pages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import SupportsIndex, TypedDict
from urllib.parse import urlsplit

from core.errors import WorkbenchError
from core.markup.reader import Extracting, decoded, page_blocks
from core.markup.report import ExtractionReport
from core.markup.selectors import FIELDS, PageSelectors, shortened
from core.markup.sources import Document, Limits, documents
from core.store import Corpus, DocumentKind, Store

REPORT = "markup-report"  # kind of the document that holds what an extraction of pages did
SITES = "page-selectors"  # kind of the documents that remember selectors, by site
ADDRESS = re.compile(r"https?://[^/\s]+", re.IGNORECASE)  # in the name of a page of an archive
SHOWN = 100  # characters of a piece of text
STORED = (DocumentKind(SITES, str, dict[str, str]),)


class Preview(TypedDict):
    """What selectors keep of first pages, as JSON values.

    ``pieces`` are those of all pages in order: why one is left out or "", the begin of its text, characters.
    ``chosen`` counts the elements that each selector chooses; ``problems`` has pages that are not read, and why.
    """

    titles: list[str]
    pieces: list[tuple[str, str, int]]
    chosen: dict[str, int]
    problems: list[tuple[str, str]]


def selectors_of(values: Mapping[str, object] | None) -> PageSelectors:
    """The selectors of settings, a plan or a document; the default ones where it holds none. Raises WorkbenchError."""
    return PageSelectors(**{name: str(values[name]) for name in FIELDS if values and name in values})


def selector_fields(selectors: PageSelectors) -> dict[str, str]:
    """The selectors as they are kept; ``:--furniture`` stands for all default ones."""
    return {**{name: getattr(selectors, name) for name in FIELDS}, "drop": shortened(selectors.drop)}


def remembered_selectors(store: Store, project: SupportsIndex, site: str) -> PageSelectors:
    """The selectors that pages of a site were last imported with; the default ones where none were."""
    try:
        return selectors_of(store.document(project, SITES, site))
    except WorkbenchError:  # of a version that knew other selectors
        return PageSelectors()


def remember_selectors(store: Store, project: SupportsIndex, site: str, selectors: PageSelectors) -> None:
    """Remember what pages of a site are imported with; "" is the site of pages that name none. Raises StoreError."""
    if selectors != remembered_selectors(store, project, site):
        store.remember(project, SITES, site, selector_fields(selectors))


def selection_of(store: Store, corpus: Corpus) -> str:
    """In a phrase, what of the pages of a text was read, left out and marked; "" where it is not known."""
    report = None if corpus.reference else store.document(corpus.project, REPORT, str(corpus.id))
    if not report or "selectors" not in report:
        return ""
    try:
        return selectors_of(report["selectors"]).in_words or "page furniture is left out"
    except WorkbenchError:  # of a backup that somebody wrote
        return ""


def site_of_pages(paths: Iterable[Path], limits: Limits) -> str:
    """The host of the first page, by its address in an archive or as it states it; "" where neither names one."""
    from core.markup.page_tree import stated

    for document in documents(list(paths), limits=limits):
        if not isinstance(document, Document):
            continue
        named = ADDRESS.search(document.name)
        try:
            address = named[0] if named else stated(decoded(document, ExtractionReport()))[2]
            return (urlsplit(address).hostname or "")[:200]
        except ValueError:  # no text, or no address
            return ""
    return ""


def preview_of(paths: Iterable[Path], selectors: Mapping[str, str], limits: Limits, most: int) -> Preview:
    """What selectors keep and leave out of the first ``most`` pages. Raises WorkbenchError for what is none."""
    from core.markup.page_tree import stated

    settings = replace(Extracting(), limits=limits, **selectors)
    found, report = Preview(titles=[], pieces=[], chosen={}, problems=[]), ExtractionReport()
    for document in documents(list(paths), limits=limits):
        if len(found["titles"]) + len(found["problems"]) >= most:
            break
        if not isinstance(document, Document):
            found["problems"].append((document.source, document.reason))
            continue
        try:
            html = decoded(document, report)
            _, blocks = page_blocks(html, settings, report)
        except WorkbenchError as error:
            found["problems"].append((document.name, str(error)))
            continue
        found["titles"].append(stated(html)[0] or document.name)
        found["pieces"] += [(block.reason or "", block.text[:SHOWN], len(block.text)) for block in blocks]
    found["chosen"] = dict(report.chosen)
    return found


def preview_table(preview: Preview) -> dict[str, list]:
    """Columns of a table over the pieces of a preview: kept or why not, text, characters."""
    pieces = preview["pieces"]
    return {
        "kept": [f"✗ {reason}" if reason else "✓" for reason, _, _ in pieces],
        "text": [text for _, text, _ in pieces],
        "characters": [characters for _, _, characters in pieces],
    }
