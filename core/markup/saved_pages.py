"""A web page that a browser saved with its pictures into one file: MHTML (RFC 2557)."""

import re
from email import message_from_bytes
from email.policy import compat32

from core.errors import FormatError

HEAD = 1 << 13  # bytes in which its header stands
HEADERS = re.compile(rb"(?:[A-Za-z][\w-]*:[^\n]*\n(?:[ \t]+[^\n]*\n)*+)+", re.IGNORECASE)
RELATED = re.compile(rb"^content-type:\s*multipart/(?:related|alternative|mixed)", re.IGNORECASE | re.MULTILINE)
VERSION = re.compile(rb"^mime-version:", re.IGNORECASE | re.MULTILINE)
PAGES = ("text/html", "application/xhtml+xml")


def page_within(data: bytes) -> tuple[bytes, str | None] | None:
    """(the HTML of a saved page, the encoding that its part names); None for what is no MHTML.

    Raises FormatError for MHTML without a page. O(bytes).
    """
    head = HEADERS.match(data[:HEAD].lstrip())
    if head is None or not RELATED.search(head[0]) or not VERSION.search(head[0]):
        return None
    parts = message_from_bytes(data, policy=compat32).walk()
    page = next((part for part in parts if part.get_content_type() in PAGES), None)
    content = None if page is None else page.get_payload(decode=True)
    if page is None or not isinstance(content, bytes):
        raise FormatError("this saved page (MHTML) holds no HTML; save the page again, as HTML")
    return content, page.get_content_charset()
