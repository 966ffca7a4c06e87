"""Rules of one's own over relations and several arcs: the editor, what each line says of the trees, its sentences."""

from functools import partial

import streamlit as st

from core.parsers.labels import has_relations
from core.rules.conflicts import RuleConflicts
from core.rules.coverage import RuleText
from core.workspace.corpus.rule_authoring import (
    KINDS,
    TOKEN,
    margin,
    places_of,
    rule_contexts,
    rule_place,
    rule_places,
    survey_rules,
)
from core.workspace.languages import RULES
from core.workspace.parses import available_trees, shown_parse
from core.workspace.rules import has_draft, write_rules, written_rules
from pages.shared.annotate.todo import open_place
from pages.shared.basics import amount, escape, session
from pages.shared.corpus.view_state import CorpusView
from pages.shared.editor import text_editor
from pages.shared.languages import sharing_menu
from pages.shared.notation import notation
from pages.shared.tree import dependency_tree
from pages.shared.tree_files import parse_key, parsed
from pages.shared.widgets import action_button, choose_view, column, draw_table, pager

EXAMPLE = "VERB has at most 1 {nsubj csubj}"
WHERE = "*Train* on Constraints, then *Save*, *Keep my rules*"
SHOWN = 6  # remarks written out
SIGNS = {"error": ":red[:material/error:]", "warning": ":orange[:material/warning:]", "note": ":material/info:"}
HEIGHT = 380  # pixels; higher trees scroll
COLUMNS = {
    "line": ("Line", 36),
    "rule": column("Rule", help="Click one to see its sentences"),
    "words": ("Words", 56, "localized", "Of how many it speaks, in the sentences that have a tree"),
    "broken": ("Broken", 56, "localized", "At how many of them the trees break it"),
    "note": ("Remark", 130),
}


def rules_field(corpus, text):
    """Draw the rules of a text as they are written; ``text`` is its RuleText."""
    with st.expander("Rules of your own", key="corpus_rules_expander"):
        written = written_rules(session().store, corpus)
        conflicts = session().cache.get(
            "rule conflicts", session().shown.shown_key(corpus), lambda: RuleConflicts(text)
        )
        trees, whose = _trees(corpus, text) if written.strip() else (None, "")
        survey = survey_rules(written, conflicts, trees)
        left, right = st.columns(2, gap="medium")
        with left:
            _editor(corpus, text, written, survey)
        with right:
            _lines(corpus, survey, whose)
        if survey.rules and trees is not None:
            _places(corpus, survey)
        sharing_menu(corpus, "corpus_rules", RULES)


def _trees(corpus, text):
    """(RuleText of the trees in which rules are counted, whose they are): the text's own, else the parse shown."""
    if text.has_head.any():
        return text, "the text’s own trees"
    offers = available_trees(session().systems, corpus)
    key = shown_parse(session().systems, corpus, offers)
    if key is None:
        return None, ""
    found = parsed(corpus, key)
    made = session().cache.get("rule text", parse_key(corpus, key), lambda: RuleText(found.treebank))
    return made, f"the trees of {found.name}, for the text has none"


def _editor(corpus, text, written, survey):
    store, treebank = session().store, text.treebank
    if store.role(session().project) == "reader":
        st.code(written or "# no rules yet", language=None, wrap_lines=True)
        return
    contexts = session().cache.get(
        "rule completions", session().shown.shown_key(corpus), lambda: [each.as_dict() for each in rule_contexts(text)]
    )
    text_editor(
        written, f"corpus_rules_{corpus.id}", partial(_save, corpus, treebank), margin(survey), "Rules, one per line",
        "16rem", {"token": TOKEN, "contexts": contexts},
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption("One rule per line · Ctrl+Space suggests words", width="content")
        notation("corpus_rules_notation", rules=True)


def _save(corpus, treebank, text):
    write_rules(session().store, corpus, text, treebank)


def _lines(corpus, survey, whose):
    """Draw the lines with their counts, and what is wrong with them."""
    if not survey.rules and not survey.problems:
        st.caption(f"A rule is a law, such as `{EXAMPLE}`. What breaks it is listed above, and on Annotate.")
        st.caption(f"Trees that keep it: {WHERE}.")
        return
    if survey.rules:

        def choose(row, _):
            CorpusView().rule_line = survey.rules[row].line
            CorpusView().rule_place = 1

        table = survey.columns()
        if survey.trees is None:
            table = {name: values for name, values in table.items() if name not in ("words", "broken")}
        broken = sum(count or 0 for count in table.get("broken", ()))
        draw_table(
            table, key="corpus_rules_lines", choose=choose, most=230, columns=COLUMNS,
            alt=f"{amount(len(survey.rules), 'rule')} with their words; {broken:,} broken",
        )  # fmt: skip
    counted = f"Counted in {escape(whose)}." if whose else "Not counted: this text has no trees, own or of a parse."
    st.caption(f"{counted} Trees that keep your rules: {WHERE}.")
    if survey.trees is not None and not has_relations(survey.trees.treebank):
        st.caption("These trees have no relations: rules that name one find none.")
    if has_draft(session().store, corpus):
        st.caption("What you write is kept, and in use once each line can be read; until then the former rules are.")
    said = [
        f"{SIGNS[severity]} Line {problem.line}: {escape(problem.message)}"
        for severity in SIGNS for problem in survey.of_severity(severity)
    ]  # fmt: skip
    for sentence in said[:SHOWN]:
        st.caption(sentence)
    if len(said) > SHOWN:
        with st.expander(f"{len(said) - SHOWN:,} more remarks", key="corpus_rules_remarks"):
            st.caption("\n\n".join(said[SHOWN:]))


def _places(corpus, survey):
    """Draw the words at which the trees break the chosen rule, or keep it."""
    trees = survey.trees
    chosen = next((rule for rule in survey.rules if rule.line == CorpusView().rule_line), None)
    rule = chosen or max(survey.rules, key=lambda rule: len(trees.coverage(rule).broken) > 0)
    found = {kind: rule_places(trees, rule, kind) for kind in KINDS}
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Line {rule.line}**: `{rule.text}`", width="content")
        names = {kind: f"{KINDS[kind]} ({len(found[kind]):,})" for kind in KINDS}
        usual = "broken" if len(found["broken"]) else "kept"
        kind = choose_view("Which", names, f"corpus_rule_kind_{usual}", default=usual, linked=False)
        rows = found[kind]
        if not len(rows):
            st.caption("No such word.", width="content")
            return
        place = pager(len(rows), CorpusView.rule_place)
        row = int(rows[place - 1])
        action_button(
            "Open in Annotate", "corpus_rule_annotate", "edit", _open, corpus, rule, trees, rows, place - 1,
            type="tertiary",
        )  # fmt: skip
    shown = rule_place(trees, rule, row, kind == "broken")
    st.caption(f"Sentence {shown.sentence + 1:,}" + (f" · {escape(shown.message)}" if shown.message else ""))
    dependency_tree(shown.drawing, key="corpus_rule_tree", selected=shown.word or None, height=HEIGHT)


def _open(corpus, rule, trees, rows, place):
    open_place(corpus, "rules", rule.text, places_of(trees, rows), place, row_key=CorpusView.rule_place, first=1)
