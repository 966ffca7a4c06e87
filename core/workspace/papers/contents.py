"""The five papers: what of each stands on which page, and which experiments run it again."""

from typing import NamedTuple

from core.experiments import EXPERIMENTS, Experiment
from core.files.tables import columns_of


class PaperPart(NamedTuple):
    """A part of a paper: the page that it stands on, by its name, and what it is."""

    page: str
    what: str


class Paper(NamedTuple):
    """A paper: ``name`` begins the names of its experiments."""

    name: str
    short: str
    title: str
    parts: tuple[PaperPart, ...]

    @property
    def experiments(self) -> dict[str, Experiment]:
        """Its experiments by the rest of their names, in the paper's order."""
        begin = f"{self.name}-"
        return {each.name.removeprefix(begin): each for each in EXPERIMENTS if each.name.startswith(begin)}

    @property
    def titles(self) -> dict[str, str]:
        """What each experiment is called, with its place in the paper: ``Table 1: ...``."""
        places = {name: each.reference.partition("), ")[2].capitalize() for name, each in self.experiments.items()}
        return {name: f"{places[name]}: {each.title}" for name, each in self.experiments.items()}

    def experiment(self, chosen: str) -> Experiment:
        """The experiment of that rest of a name; the first for any other."""
        experiments = self.experiments
        return experiments.get(chosen, next(iter(experiments.values())))


PAPERS = (
    Paper("druck2009", "Druck 2009",
          "Druck, Mann & McCallum: Semi-supervised Learning of Dependency Parsers using Generalized Expectation "
          "Criteria",
          (PaperPart("constraints", "constraints with targets, training by generalized expectation, errors (§3 to §7)"),
           PaperPart("teach", "the gradient of an expectation, step by step"))),
    Paper("spitkovsky2010", "Spitkovsky 2010",
          "Spitkovsky, Jurafsky & Alshawi: Profiting from Mark-Up: Hyper-Text Annotations for Guided Parsing",
          (PaperPart("markup", "brackets of pages, how far trees agree with them, tables of tags (§3 to §5)"),
           PaperPart("induction", "grammars from text and brackets (§6, §7)"))),
    Paper("rush2012", "Rush 2012",
          "Rush, Reichart, Collins & Globerson: Improved Parsing and POS Tagging Using Inter-Sentence Consistency "
          "Constraints",
          (PaperPart("consensus", "contexts, votes, consistent parsing and tagging (§4, §7)"),
           PaperPart("decomposition", "dual decomposition, iteration by iteration (§5, §6)"))),
    Paper("zhou2013", "Zhou 2013",
          "Zhou & Zhao: Joint Inference for Heterogeneous Dependency Parsing",
          (PaperPart("joint", "parsers of two schemes that learn from each other's trees (§2)"),)),
    Paper("shimizu2007", "Shimizu 2007",
          "Shimizu & Nakagawa: Structural Correspondence Learning for Dependency Parsing",
          (PaperPart("adaptation", "pivots, directions, scores on another domain (§2 to §4)"),)),
)  # fmt: skip


def materials_table(experiment: Experiment) -> dict[str, list]:
    """What an experiment reads where one has its corpora, by column."""
    rows = [(each.role, each.corpus.name, each.corpus.licence) for each in experiment.materials]
    return columns_of(("role", "corpus", "licence"), rows)


def paper_named(name: str) -> Paper:
    """The Paper of that name; the first for any other."""
    return next((paper for paper in PAPERS if paper.name == name), PAPERS[0])
