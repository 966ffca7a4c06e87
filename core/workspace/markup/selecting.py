"""What is read of web pages: selectors that a project remembers for each site, and what they keep of first pages."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, SupportsIndex
from urllib.parse import urlsplit

from core.errors import WorkbenchError
from core.markup.reader import Extracting, decoded, page_blocks
from core.markup.report import ExtractionReport
from core.markup.selectors import FIELDS, PageSelectors, shortened
from core.markup.sources import Document, Limits, documents
from core.store import Store

SITES = "page-selectors"  # kind of the documents that remember selectors, by site
ADDRESS = re.compile(r"https?://[^/\s]+", re.IGNORECASE)  # in the name of a page of an archive
SHOWN = 100  # characters of a piece of text


def selectors_of(values: Mapping[str, Any] | None) -> PageSelectors:
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


def preview_of(paths: Iterable[Path], selectors: Mapping[str, str], limits: Limits, most: int) -> dict[str, Any]:
    """What selectors keep and leave out of the first ``most`` pages, as JSON values.

    Returns
    -------
    dict
        ``pages``: for each its ``name``, ``title`` and ``pieces`` in order, (why it is left out or "", text's begin,
        characters). ``chosen``: how many elements each selector chooses. ``problems``: (page, why it is not read).
    """
    from core.markup.page_tree import stated

    settings = replace(Extracting(), limits=limits, **selectors)
    pages, problems, report = [], [], ExtractionReport()
    for document in documents(list(paths), limits=limits):
        if not isinstance(document, Document):
            problems.append((document.source, document.reason))
            continue
        if len(pages) + len(problems) >= most:
            break
        try:
            html = decoded(document, report)
            pieces = [
                (block.reason or "", block.text[:SHOWN], len(block.text))
                for block in page_blocks(html, settings, report)[1]
            ]
        except WorkbenchError as error:
            problems.append((document.name, str(error)))
            continue
        pages.append({"name": document.name, "title": stated(html)[0], "pieces": pieces})
    return {"pages": pages, "chosen": dict(report.chosen), "problems": problems}


def preview_table(preview: Mapping[str, Any]) -> dict[str, list]:
    """Columns of a table over the pieces of a preview: kept or why not, text, characters."""
    pieces = [piece for page in preview["pages"] for piece in page["pieces"]]
    return {
        "kept": [f"✗ {reason}" if reason else "✓" for reason, _, _ in pieces],
        "text": [text for _, text, _ in pieces],
        "characters": [characters for _, _, characters in pieces],
    }
