"""What consistency changes: the most effective contexts (Table 5) and the sentences they change (Figure 4)."""

from core.experiments.experiment import Environment, Results
from core.experiments.rush2012.accuracy import COUNTERPARTS, DOMAINS, PARSER
from core.experiments.rush2012.figures import TABLE_5
from core.experiments.rush2012.systems import run_systems
from core.experiments.rush2012.texts import SETTINGS, domain_texts

SHOWN = 5  # contexts
SENTENCES = 8  # sentences shown of the context with most corrections
RANKED = "Contexts are ranked by words corrected minus words harmed; the constrained word stands between stars."


def table5(env: Environment) -> Results:
    """The most effective contexts of domain adaptation beside the paper's."""
    rows = []
    for texts, outcome in _domains(env):
        effects = outcome.parses.effects(texts.test)
        for rank in range(SHOWN):
            effect, paper = effects[rank] if rank < len(effects) else None, TABLE_5[COUNTERPARTS[texts.name]][rank]
            row = {"name": f"{texts.name}, {rank + 1}", "ours": effect and effect.name, "paper": paper}
            counts = {name: getattr(effect, name, None) for name in ("size", "corrected", "harmed")}
            rows.append(row | {"consensus": effect and effect.label, **counts})
    notes = [*DOMAINS, PARSER, RANKED, "The text of the paper does not keep which word is bold there.", SETTINGS]
    return Results(rows, notes)


def figure4(env: Environment) -> Results:
    """Sentences changed by the most effective context, statements to questions: heads before, after and right."""
    texts, outcome = next(_domains(env))
    effects = outcome.parses.effects(texts.test)
    rows = []
    for effect in effects[:1]:
        for change in effect.changes[:SENTENCES]:
            forms = ("ROOT", *texts.test[change.sentence].forms[1:])
            row = {"name": " ".join(forms[1:]), "word": forms[change.word], "before": forms[change.before]}
            right = None if change.gold is None else forms[change.gold]
            rows.append(row | {"ours": forms[change.after], "right": right, "paper": None})
    shown = [f"The context is {effect.name}, consensus {effect.label}." for effect in effects[:1]]
    paper = "The paper shows sentences with WRB *VBP*: a question word, then a verb."
    return Results(rows, [*shown, *DOMAINS, PARSER, RANKED, paper])


def _domains(env):
    """Texts and outcomes of the two directions of Table 2, one after the other."""
    for texts in domain_texts(env):
        if texts.name in COUNTERPARTS:
            yield texts, run_systems(env, texts, self_training=False)
