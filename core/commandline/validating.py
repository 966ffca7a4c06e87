"""``corpus validate``: what is wrong with the files of a treebank, as UD's validator says it, and by rules of one's own."""

import sys
from argparse import Namespace, _SubParsersAction
from collections import Counter
from pathlib import Path

from core.annotation.label_inventories import LabelInventories
from core.annotation.language_lists import LanguageLists
from core.annotation.ud_files import LEVELS, CheckedFiles, PlacedFault, check_files, files_of
from core.annotation.validation import validate
from core.commandline import texts
from core.commandline.options import add_command, positive
from core.commandline.reports import Report, table
from core.commandline.ruling import add_rules, rules_for
from core.errors import WorkbenchError
from core.languages.identify import language_code
from core.treebank.formats import detect
