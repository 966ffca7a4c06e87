"""Induction: a grammar learnt from tags, and from the mark-up on the text, while one looks on."""

from pages.shared.basics import report_errors, session
from pages.shared.guide.link import introduction
from pages.shared.induction.panel import induction_panel
from pages.shared.induction.runs import runs_panel
from pages.shared.induction.settings import induction
from pages.shared.navigation import require_frame

SUMMARY = "Learn a grammar from tags alone, without any tree, helped by links and italics where there are some."
HOW = r"""
The grammar is a **dependency model with valence**: each head chooses its modifiers by tag, on either side, until it
stops. Training alternates between parsing every sentence with the grammar so far and counting what the trees use:

$$P(\text{tree}) = \prod_h \prod_{\text{side}} P(\text{stop} \mid h, \text{side}, \text{adjacent})
\prod_m P(m \mid h, \text{side})\, P(\text{continue} \mid h, \text{side}, \text{adjacent})$$

(Klein & Manning 2004). **Mark-up** forbids trees in which a link or an italic phrase falls apart (Spitkovsky et al.
2010, §5). **Bits per token** say how well the grammar predicts the tags: fewer is better.
"""

require_frame()
current = session().corpus
introduction(SUMMARY, HOW, "Mark-up and the induction of grammars")
with report_errors(stop=True, link_to_fix=True):
    plan = induction().plan(current)
    text = induction().inputs(current, plan)
    induction().untrained(text, plan)  # says so where words lack tags
induction_panel(current, plan, text)
runs_panel(plan, text)
