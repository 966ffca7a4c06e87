"""The texts that several experiments read: English news with Penn-style trees and its parts, and questions."""

import csv
import re

import numpy as np

from core.errors import WorkbenchError
from core.experiments.corpora import QUESTIONS, WSJ
from core.experiments.experiment import Environment
from core.treebank import Treebank, read_conllu, read_mrg

SENTENCES, PHRASES = WSJ.files
LAST_TRAINING_FILE, LAST_DEVELOPMENT_FILE = 99, 119


def journal_text(env: Environment, punctuation: bool = False) -> tuple[Treebank, np.ndarray]:
    """The WSJ sample under Collins' heads, or the text at hand with function words as heads.

    Returns
    -------
    (Treebank, int64 (S,))
        The sentences, and the part of each: 0 to train on, 1 to choose settings by, 2 to test on.
    """
    if env.text is not None:
        trees = env.text.function_heads
        return trees if punctuation else trees.without_punctuation(), env.text.parts
    trees = read_mrg(env.file(PHRASES), rules="collins", punctuation=punctuation)
    return trees, file_parts(file_numbers(read_conllu(env.file(SENTENCES)))[file_places(trees)])


def file_parts(files: np.ndarray) -> np.ndarray:
    """int64 (S,): 0 for a sentence of the WSJ sample to train on, 1 to choose settings by, 2 to test on."""
    return np.searchsorted([LAST_TRAINING_FILE, LAST_DEVELOPMENT_FILE], files)


def question_ids(env: Environment) -> set[str]:
    """The ids of the sentences of EWT that are questions."""
    with env.file(QUESTIONS.train).open(encoding="utf-8", newline="") as file:
        return {row["sent_id"] for row in csv.DictReader(file, delimiter="\t")}


def file_numbers(treebank: Treebank) -> np.ndarray:
    """int64 (S,): the number of the file that each sentence is from. WorkbenchError for an id that names none."""
    matches = [re.search(r"\d+", sentence.sent_id or "") for sentence in treebank]
    missing = next((at for at, match in enumerate(matches, 1) if match is None), None)
    if missing is not None:
        raise WorkbenchError(f"the id of sentence {missing} names no file of the WSJ sample; take the sample unchanged")
    return np.array([int(match[0]) for match in matches if match], dtype=np.int64)


def file_places(treebank: Treebank) -> np.ndarray:
    """int64 (S,): the place of each sentence in the sample, from 0, which its id ends in."""
    return np.array([int((sentence.sent_id or "").rsplit("-", 1)[-1]) - 1 for sentence in treebank], dtype=np.int64)
