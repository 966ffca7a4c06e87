"""What consistency changes: the most effective contexts (Table 5) and the sentences they change (Figure 4)."""

from core.experiments.experiment import Environment, Results, unanswered
from core.experiments.pictures import changed_trees
from core.experiments.rush2012.accuracy import COUNTERPARTS, DOMAINS, PARSER
from core.experiments.rush2012.figures import TABLE_5
from core.experiments.rush2012.systems import run_systems
from core.experiments.rush2012.texts import SETTINGS, domain_texts

SHOWN = 5  # contexts
DRAWN = 4  # sentences of the picture
SENTENCES = 8  # sentences shown of the context with most corrections
RANKED = "Contexts are ranked by words corrected minus words harmed; the constrained word stands between stars."


def table5(env: Environment) -> Results:
    """The most effective contexts of domain adaptation beside the paper's."""
    rows = []
    for texts, outcome in _domains(env):
        effects = outcome.parses.effects(texts.test)
        for rank in range(SHOWN):
            effect, paper = effects[rank] if rank < len(effects) else None, TABLE_5[COUNTERPARTS[texts.name]][rank]
            name = f"{texts.name}, {rank + 1}"
            if effect is None:
                rows.append(unanswered(name, "no other context corrects or harms a head", paper=paper))
                continue
            row = {"name": name, "ours": effect.name, "paper": paper, "consensus": effect.label}
            rows.append(row | {name: getattr(effect, name) for name in ("size", "corrected", "harmed")})
    bold = "The text of the paper does not keep which word is bold there."
    return Results(rows, env.notes(DOMAINS, PARSER, RANKED, bold, SETTINGS))


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
    if not rows:
        rows.append(unanswered(texts.name, "consistency corrects and harms no head here"))
    shown = [f"The context is {effect.name}, consensus {effect.label}." for effect in effects[:1]]
    paper = "The paper shows sentences with WRB *VBP*: a question word, then a verb."
    title = f"Figure 4: sentences that {effects[0].name} changes" if effects else ""
    changed = dict.fromkeys(change.sentence for effect in effects[:1] for change in effect.changes[:SENTENCES])
    parsed = outcome.parses.treebank
    trees = [(texts.test[at], outcome.base[at].heads, parsed[at].heads) for at in list(changed)[:DRAWN]]
    return Results(rows, env.notes(DOMAINS, *shown, PARSER, RANKED, paper), picture=changed_trees(title, trees))


def _domains(env):
    """Texts and outcomes of the two directions of Table 2, one after the other."""
    for texts in domain_texts(env):
        if texts.name in COUNTERPARTS:
            yield texts, run_systems(env, texts, self_training=False)
