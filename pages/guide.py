"""Guide: how the workbench is used, its notation, methods and files, by chapter or by words; it needs no network."""

from core.workspace.guide.chapters import guide
from pages.shared.basics import report_errors
from pages.shared.guide.reader import choose, hits, read, search_box
from pages.shared.navigation import require_frame

require_frame()
with report_errors(stop=True):
    chapters = guide()
words = search_box()
if words:
    hits(words)
else:
    read(*choose(chapters))
