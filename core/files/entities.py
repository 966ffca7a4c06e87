"""Entities of HTML and XML, such as ``&amp;``."""

import html
import re

LONG_NUMBER = re.compile(r"&#(?:[0-9]{8,}|[xX][0-9a-fA-F]{8,});?")  # beyond Unicode; Python refuses very long ones


def unescape(text: str) -> str:
    """Text with its entities resolved."""
    return html.unescape(LONG_NUMBER.sub("\ufffd", text)) if "&" in text else text
