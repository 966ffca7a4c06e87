"""Selectors of the text of web pages, which a project remembers for each site, and a preview of what they select."""

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

REPORT = "markup-report"  # kind of the document that holds the report of an extraction
SITES = "page-selectors"  # kind of the documents that remember selectors, by site
ADDRESS = re.compile(r"https?://[^/\s]+", re.IGNORECASE)  # in the name of a page of an archive
SHOWN = 100  # characters of each piece of text in a preview
STORED = (DocumentKind(SITES, str, dict[str, str]),)


class Preview(TypedDict):
    """The effect of selectors on some pages, as JSON values.

    ``pieces`` has, for each piece of text in order, why it is left out or "", its beginning, its number of characters.
    ``chosen`` counts the elements that each selector chooses; ``problems`` has the pages that are not read, and why.
    """

    titles: list[str]
    pieces: list[tuple[str, str, int]]
    chosen: dict[str, int]
    problems: list[tuple[str, str]]


def selectors_of(values: Mapping[str, object] | None) -> PageSelectors:
    """The selectors of settings, a plan or a document, or the default ones. Raises WorkbenchError for unknown ones."""
    return PageSelectors(**{name: str(values[name]) for name in FIELDS if values and name in values})


def selector_fields(selectors: PageSelectors) -> dict[str, str]:
    """The selectors as they are stored; ``:--furniture`` stands for all default ones."""
    return {**{name: getattr(selectors, name) for name in FIELDS}, "drop": shortened(selectors.drop)}


def remembered_selectors(store: Store, project: SupportsIndex, site: str) -> PageSelectors:
    """The selectors that pages of a site were last imported with; else the default ones."""
    try:
        return selectors_of(store.document(project, SITES, site))
    except WorkbenchError:  # of a version with other selectors
        return PageSelectors()


def remember_selectors(store: Store, project: SupportsIndex, site: str, selectors: PageSelectors) -> None:
    """Store the selectors of a site's pages; "" is the site of pages that name none. Raises StoreError."""
    if selectors != remembered_selectors(store, project, site):
        store.remember(project, SITES, site, selector_fields(selectors))


def selection_of(store: Store, corpus: Corpus) -> str:
    """A phrase on what was read, left out and marked of the pages of a text; "" where it is not known."""
    report = None if corpus.reference else store.document(corpus.project, REPORT, str(corpus.id))
    if not report or "selectors" not in report:
        return ""
    try:
        return selectors_of(report["selectors"]).in_words or "page furniture is left out"
    except WorkbenchError:  # in a backup written by hand
        return ""


def site_of_pages(paths: Iterable[Path], limits: Limits) -> str:
    """The host of the first page, from its address in an archive or stated by the page; "" where neither has one."""
    from core.markup.page_tree import stated

    for document in documents(list(paths), limits=limits):
        if not isinstance(document, Document):
            continue
        match = ADDRESS.search(document.name)
        try:
            address = match[0] if match else stated(decoded(document, ExtractionReport()))[2]
            return (urlsplit(address).hostname or "")[:200]
        except ValueError:  # it is no text, or states no valid address
            return ""
    return ""


def preview_of(paths: Iterable[Path], selectors: Mapping[str, str], limits: Limits, most: int) -> Preview:
    """The Preview of the first ``most`` pages. Raises WorkbenchError for bad selectors."""
    from core.markup.page_tree import stated

    settings = replace(Extracting(), limits=limits, **selectors)
    preview, report = Preview(titles=[], pieces=[], chosen={}, problems=[]), ExtractionReport()
    for document in documents(list(paths), limits=limits):
        if len(preview["titles"]) + len(preview["problems"]) >= most:
            break
        if not isinstance(document, Document):
            preview["problems"].append((document.source, document.reason))
            continue
        try:
            html = decoded(document, report)
            _, blocks = page_blocks(html, settings, report)
        except WorkbenchError as error:
            preview["problems"].append((document.name, str(error)))
            continue
        preview["titles"].append(stated(html)[0] or document.name)
        preview["pieces"] += [(block.reason or "", block.text[:SHOWN], len(block.text)) for block in blocks]
    preview["chosen"] = dict(report.chosen)
    return preview


def preview_table(preview: Preview) -> dict[str, list]:
    """Columns of a table over the pieces of a preview: kept or why not, text, characters."""
    pieces = preview["pieces"]
    return {
        "kept": [f"✗ {reason}" if reason else "✓" for reason, _, _ in pieces],
        "text": [text for _, text, _ in pieces],
        "characters": [characters for _, _, characters in pieces],
    }
