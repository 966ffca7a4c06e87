"""Files to take away: by one button, of a run, and the whole text with the trees of a run or parser."""

from pathlib import PurePath

import streamlit as st

from core.parsers.labels import has_relations
from core.rules.rule import format_rules
from core.treebank import read_conllu
from core.treebank.written_back import back_writer, written_into
from core.workspace.annotations import Annotations
from core.workspace.compare.parsed_text import file_name, parsed_text
from core.workspace.compare.ruled_text import keeping_parser, priced_rules, ruled_text
from core.workspace.parses import is_predicted, run_of
from core.workspace.relations import chosen_relations
from core.workspace.rules import rules_of
from pages.shared.basics import amount, escape, report_errors, session
from pages.shared.widgets import download

KEEPS = "shared_keeps_rules"  # whether what is taken away keeps the rules of its text


def parsed(corpus, parse):
    """The ParsedText of one Offer's key, made once. Raises WorkbenchError where it is gone."""

    def make():
        with st.spinner("Parsing the sentences that the parser was not trained on"):
            return parsed_text(session().systems, corpus, parse)

    return session().cache.get("whole", parse_key(corpus, parse), make)


def parse_key(corpus, parse):
    """Names the trees of one Offer's key: a run that was resumed leaves others. Raises WorkbenchError."""
    run = run_of(session().workspace, parse)
    workspace = session().workspace
    is_theirs = is_predicted(parse)
    relations = chosen_relations(workspace, corpus).key if is_theirs else None
    drawn = Annotations(workspace, corpus).revision() if is_theirs else None  # stands in the file
    return workspace.corpus_key(corpus), parse, run and run.finished, relations, drawn


def tree_files(corpus, offers, key):
    """Draw a button behind which the trees of each Offer can be downloaded, nothing if there is none."""
    if not offers:
        return
    shown = st.popover(
        "CoNLL-U", icon=":material/download:", key=f"{key}_tree_files", on_change="rerun",
        help="The whole text with these trees, as CoNLL-U",
    )  # fmt: skip
    if shown.open:
        with shown, st.container(width=360):
            for offer in offers:
                tree_file(corpus, offer, key)


@report_errors()
def tree_file(corpus, offer, key, label=None):
    """Draw the download of one Offer's trees under its name or ``label``, and say what is in it."""
    text = parsed(corpus, offer.key)
    name = file_name(corpus, offer.key)
    download(label or escape(offer.name), text.conllu, name, f"{key}_tree_{offer.key}", mime="text/plain")
    st.caption(_about(text))
    into_file(text.treebank, text.conllu, name, f"{key}_tree_{offer.key}")


@report_errors()
def into_file(treebank, conllu, name, key):
    """Draw a field for the file that a text was read from, and the download of a copy with the trees of ``conllu()``.

    Nothing where the text is from no file that trees go back into.
    """
    writer = back_writer(treebank)
    if writer is None:
        return
    upload = st.file_uploader(
        f"The {writer.title} file that this text was read from", type=writer.suffix[1:], key=f"{key}_into",
        help="It stays as it is. You get a copy: of ELAN with tiers of words and trees, "
        "of FLEx with tags and a note with the heads of each phrase.",
    )  # fmt: skip
    if upload is not None:
        data, notes = written_into(upload.getvalue(), read_conllu(conllu().encode()), upload.name)
        about = f"{PurePath(name).stem}{writer.suffix}"
        download(f"{writer.title} with these trees", data, about, f"{key}_into_file", mime="application/xml")
        for note in notes:
            st.caption(escape(note))


def asked_to_keep(corpus, parse, key):
    """Draw *Keep my rules*, on or off for all that is taken away; the parser of one Offer's key if it is on.

    None also where a text has no rules.
    """
    parser, own = keeping_parser(session().systems, corpus, parse), f"{key}_ruled"
    if parser is None:
        return None
    st.session_state[own] = st.session_state.get(KEEPS, False)
    help_text = "The rules of Corpus, Validation"
    return parser if st.toggle("Keep my rules", key=own, help=help_text, on_change=_keep, args=(own,)) else None


def _keep(key):
    st.session_state[KEEPS] = st.session_state[key]


def rules_to_take(corpus, parse, key):
    """Draw *Keep my rules* for a parser that is taken away; its rules with their prices, () where it is off."""
    parser = asked_to_keep(corpus, parse, key)
    if parser is None:
        return ()
    rules = rules_of(session().store, corpus)

    def make():
        with st.spinner("Reading the rules"):
            return tuple(priced_rules(parser, session().workspace.treebank(corpus), rules))

    return session().cache.get("priced", (parse_key(corpus, parse), format_rules(rules)), make)


@report_errors()
def ruled_file(corpus, offer, key):
    """Draw the download of an Offer's trees that keep the text's rules; nothing where there are none."""
    parser = asked_to_keep(corpus, offer.key, key)
    if parser is None:
        return
    rules = rules_of(session().store, corpus)

    def make():
        with st.spinner("Searching trees that keep the rules"):
            return ruled_text(parser, parsed(corpus, offer.key), rules)

    ruled = session().cache.get("ruled", (parse_key(corpus, offer.key), format_rules(rules)), make)
    name = f"ruled {file_name(corpus, offer.key)}"
    label = "The text with trees that keep them, CoNLL-U"
    download(label, ruled.text.conllu, name, f"{key}_ruled_file", mime="text/plain")
    st.caption(escape(ruled.words))


def _about(text):
    whole = amount(len(text.treebank), "sentence")
    about = (
        f"{text.parsed:,} of {whole}: the others have no tree of this parse" if text.missing else f"Whole text, {whole}"
    )
    if text.bare:
        about += f". {amount(text.bare, 'word')} without a head"
    if text.drawn:
        have = amount(text.drawn, "sentence has", "sentences have")
        about += f". {have} heads annotated by hand; a comment says which"
    if not has_relations(text.written):
        about += ". Relations are `root` and `dep`, for the parser names none"
    return f"{about}."


def file_buttons(files, key):
    """Draw a button for each File of ``core.workspace.system``, to take it away; ``key`` begins their keys."""
    for number, file in enumerate(files):
        download(escape(file.label), file.data, file.name, f"{key}_{number}")
