"""Figure 1 of spitkovsky2010: which sentences to estimate the Ad-Hoc* start on."""

from core.draw.plot import PlotSeries
from core.experiments.experiment import Environment, Results
from core.experiments.pictures import curve, plotted
from core.experiments.spitkovsky2010.figures import FIGURE_1_BEST
from core.experiments.spitkovsky2010.texts import NOTES, journal
from core.parsers import DMV
from core.parsers.dmv.parameters import estimate, harmonic_counts
from core.treebank import Treebank

SIZES = tuple(range(1, 46))
QUICK_SIZES = (5, 8, 15, 25)
SHORT = 15  # cross-entropies are of sentences up to so many words
SMOOTHING = 1.0


def figure1(env: Environment) -> Results:
    """Cross-entropy on WSJ15 of harmonic starts estimated on ever longer sentences."""
    train = journal(env).train.treebank
    short = train.max_length(SHORT)
    rows = []
    for most in QUICK_SIZES if env.quick else SIZES:
        text = train.max_length(most)
        if not len(text):
            continue  # no sentence is so short
        model = harmonic_start(text, train)
        paper = FIGURE_1_BEST[1] if most == FIGURE_1_BEST[0] else None
        row = {"name": f"WSJ{most}", "ours": float(model.cross_entropies(short).mean()), "paper": paper}
        rows.append({**row, "of_all_words": model.cross_entropy(short), "sentences": len(text)})
        env.say(f"WSJ{most}: {row['ours']:.3f} bits per token")
    best = min(rows, key=lambda row: row["ours"])
    notes = env.notes(
        NOTES,
        f"The lowest of ours is {best['name']} with {best['ours']:.3f} bits per token; the paper's is WSJ8 with 4.32, "
        "the only number that its figure prints.",
        "ours is the mean over sentences of -log2 P(tags) / n, the paper's sentence-level cross-entropy; of_all_words "
        "weighs sentences by their words. Starts are Klein & Manning's harmonic ones with Laplace smoothing over all "
        "tags of the training text, so that those of the longer sentences have a probability too.",
    )
    size, value = FIGURE_1_BEST
    series = [
        curve(rows, "cross-entropy of starts", lambda row: int(row["name"].removeprefix("WSJ"))),
        PlotSeries("the paper, Figure 1: its lowest, at WSJ8", ((size, value),), stated=True),
    ]
    title = f"Figure 1: cross-entropy on sentences of at most {SHORT} words"
    picture = plotted(title, "words of the longest sentence estimated on", "bits per token", series)
    return Results(rows, notes, picture=picture)


def harmonic_start(text: Treebank, whole: Treebank) -> DMV:
    """The DMV that training on ``text`` would begin with, over the tags of ``whole``."""
    model, column = DMV(tags="xpos"), whole.xpos
    model.column, model.tags = "xpos", tuple(sorted(set(column.values) - {""}))
    numbers = {tag: number for number, tag in enumerate(model.tags)}
    ids = [numbers.get(value, 0) for value in text.xpos.values]  # of root rows, which are not looked at, 0
    tags = [ids[value] for value in text.xpos.ids.tolist()]
    model.parameters = estimate(harmonic_counts(tags, text.offsets, len(model.tags)), SMOOTHING)
    return model
