"""What consistency changes: the most effective contexts (Table 5) and the sentences they change (Figure 4)."""

from core.experiments.experiment import Findings, Lab
from core.experiments.rush2012.accuracy import COUNTERPARTS, DOMAINS, PARSER
from core.experiments.rush2012.figures import TABLE_5
from core.experiments.rush2012.systems import run_systems
from core.experiments.rush2012.texts import SETTINGS, domain_texts

SHOWN = 5  # contexts
SENTENCES = 8  # of the context that changed most of them for the better
RANKED = "Contexts are ranked by words corrected minus words harmed; the constrained word stands between stars."


def table5(lab: Lab) -> Findings:
    """The most effective contexts of domain adaptation beside the paper's."""
    rows = []
    for texts, outcome in _domains(lab):
        effects = outcome.parses.effects(texts.test)
        for rank in range(SHOWN):
            effect = effects[rank] if rank < len(effects) else None
            rows.append(
                {
                    "name": f"{texts.name}, {rank + 1}",
                    "ours": effect.name if effect else None,
                    "paper": TABLE_5[COUNTERPARTS[texts.name]][rank],
                    "consensus": effect.label if effect else None,
                    "size": effect.size if effect else None,
                    "corrected": effect.corrected if effect else None,
                    "harmed": effect.harmed if effect else None,
                }
            )
    notes = [*DOMAINS, PARSER, RANKED, "The text of the paper does not keep which word is bold there.", SETTINGS]
    return Findings(rows, notes)


def figure4(lab: Lab) -> Findings:
    """Sentences changed by the most effective context, statements to questions: heads before, after and right."""
    texts, outcome = next(_domains(lab))
    effects = outcome.parses.effects(texts.test)
    rows = []
    for effect in effects[:1]:
        for change in effect.changes[:SENTENCES]:
            forms = ("ROOT", *texts.test[change.sentence].forms[1:])
            rows.append(
                {
                    "name": " ".join(forms[1:]),
                    "word": forms[change.word],
                    "before": forms[change.before],
                    "ours": forms[change.after],
                    "right": forms[change.gold] if change.gold is not None else None,
                    "paper": None,
                }
            )
    shown = [f"The context is {effect.name}, consensus {effect.label}." for effect in effects[:1]]
    notes = [
        *shown,
        *DOMAINS,
        PARSER,
        RANKED,
        "The paper shows sentences with WRB *VBP*: a question word, then a verb.",
    ]
    return Findings(rows, notes)


def _domains(lab):
    """Texts and outcomes of the two directions of Table 2, one after the other."""
    for texts in domain_texts(lab):
        if texts.name in COUNTERPARTS:
            yield texts, run_systems(lab, texts, self_training=False)
