"""Markdown and plain text as HTML, so that emphasis and links become mark-up like any other."""

import html
import re


def markdown_to_html(text: str) -> str:
    """CommonMark as HTML: emphasis gives ``em``, strong emphasis ``strong``, links ``a``; HTML inside stays."""
    from markdown_it import MarkdownIt  # only when a Markdown file comes

    return MarkdownIt("commonmark").enable("table").render(text)


def plain_to_html(text: str) -> str:
    """Plain text as paragraphs, with blank lines between them."""
    paragraphs = re.split(r"\n[^\S\n]*\n", text.replace("\r\n", "\n").replace("\r", "\n"))
    return "".join(f"<p>{html.escape(paragraph, quote=False)}</p>\n" for paragraph in paragraphs)


def lines_to_html(text: str) -> str:
    """The text that an archive has of a page, as lines: each an element's, or broken by hand."""
    return "<br>".join(html.escape(line, quote=False) for line in text.splitlines())
