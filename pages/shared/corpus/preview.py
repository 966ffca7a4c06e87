"""What was found in a text that is about to be added: its format, how much of it, its first sentences drawn."""

import streamlit as st

from core.direction import isolated
from core.draw import draw_tree
from core.workspace.wording import amount, escape
from pages.shared.tree import dependency_tree

SHOWN = 3  # sentences drawn
WIDE_SPACE = "\u2002"  # between words, so that one sees where they were cut
HEIGHT = 230  # pixels of a tree; a higher one scrolls


def found_line(draft, detected):
    """Draw what was found, in a line; ``detected`` tells whether the format was, rather than chosen."""
    treebank = draft.treebank
    counts = [
        f"**{amount(len(treebank), 'sentence')}**",
        f"**{amount(treebank.token_count, 'word')}**",
        _share(draft.tagged, treebank.token_count, "tag"),
        _share(draft.trees, len(treebank), "tree"),
    ]
    st.markdown(f"{'Detected' if detected else 'Read as'}: **{draft.title}** · {' · '.join(counts)}")
    for warning in treebank.warnings:
        st.caption(f":material/info: {escape(warning)}")


def first_sentences(draft):
    """Draw the first sentences: as trees, or as words with spaces between them if there are none."""
    treebank = draft.treebank
    shown = [treebank[index] for index in range(min(SHOWN, len(treebank)))]
    st.caption(f"The first {amount(len(shown), 'sentence')}" if len(shown) > 1 else "The first sentence")
    for number, sentence in enumerate(shown, 1):
        if (sentence.heads[1:] >= 0).any():
            dependency_tree(draw_tree(sentence), key=f"upload_preview_{number}", height=HEIGHT)
        else:
            st.markdown(f"{number}. {isolated(escape(WIDE_SPACE.join(sentence.forms[1:])))}")


def _share(count, whole, name):
    """As in "no tags", "12 tags", "12 of 40 tags"."""
    if count == 0:
        return f"no {name}s"
    return amount(count, name) if count == whole else f"{count:,} of {amount(whole, name)}"
