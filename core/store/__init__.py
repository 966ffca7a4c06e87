"""The truth on disk: projects, corpora, the command log and its documents, versions, runs."""

from core.settings import CorpusId, ParseKey, RunId
from core.store.corpora import Corpus
from core.store.locations import workbench_home
from core.store.log import Command, Entry
from core.store.people import Account
from core.store.projects import Project
from core.store.references import OfCorpus, SentenceKey, SharedKey
from core.store.rights import LOCAL_AUTHOR, ROLES
from core.store.runs import FINISHED, RESUMABLE, UNFINISHED, Run
from core.store.shapes import DocumentKind, Kinds, RunKind
from core.store.store import Store
from core.store.versions import Version

__all__ = [
    "FINISHED", "LOCAL_AUTHOR", "RESUMABLE", "ROLES", "UNFINISHED", "Account", "Command", "Corpus", "CorpusId",
    "DocumentKind", "Entry", "Kinds", "OfCorpus", "ParseKey", "Project", "Run", "RunId", "RunKind", "SentenceKey",
    "SharedKey", "Store", "Version", "workbench_home",
]  # fmt: skip
