"""How many sentences keep their mark-up in a parser's trees: the same count on every page that shows it."""

from pages.shared.markup import state


def kept_words(outcome, level):
    """A sentence on the trees of an Outcome of a run, counted as on the Mark-up page; "" where nothing is marked."""
    run, corpus = outcome.run, outcome.inputs.corpus
    key = "kept", run.id, run.finished
    kept = state.room().under_parse(corpus, key, f"run {run.id}", lambda: outcome.parses[""]).kept(level)
    return f"{kept.words} in the trees of run {run.id}" if kept.judged else ""
