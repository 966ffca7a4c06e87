"""Papers: what of the five papers stands on which page, and their tables and figures run on what is at hand."""

from pages.shared.basics import report_errors
from pages.shared.guide.link import introduction
from pages.shared.navigation import require_frame
from pages.shared.papers.contents import chosen_paper, parts_panel
from pages.shared.papers.run import experiment_panel

SUMMARY = "The five papers behind the workbench: where each is, and its tables and figures run again."
HOW = """
Each table and figure is run by the paper's protocol, here in a **quick** form and on what is at hand: the sample, its
questions and its pages, or the open text. *Ours* are figures of that text, *paper* those that the paper prints. They
stand beside each other for what they are about, not for their size. A row that the text cannot answer says *why*.

The treebanks that stand for the papers' own do not come along. With them `python -m core reproduce NAME --data DIR`
runs the whole protocol; the guide lists the files, their licences and where they come from.
"""

require_frame()
introduction(SUMMARY, HOW, "A paper's tables")
paper = chosen_paper()
parts_panel(paper)
with report_errors():
    experiment_panel(paper)
