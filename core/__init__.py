"""The workbench's computation: treebanks, trees, parsers, constraints, systems, the store. Imports no Streamlit.

How the house is built, for whoever comes next; ``.github/CONTRIBUTING.md`` has the recipes and the glossary.

**Floors.** An arrow of imports points down, or stays on its floor::

    pages, core.commandline                           draw, print; no numerics, no loops over tokens.
    core.workspace                                    a room for each page, the systems and their runs.
    core.experiments  teach  store  jobs              the papers' tables; lessons; what is kept; threads of runs.
    core.advice  annotation  proposals                what would help most; trees changed by hand; others' trees.
    core.constraints  consistency  joint  adaptation  learning from constraints; contexts; schemes; other domains.
    core.parsers  decomposition                       what is trained, saved and loaded; two solvers that must agree.
    core.shards                                       text larger than memory, and sums over its parts.
    core.markup                                       brackets from the links of web pages.
    core.features  trees                              kernels over arrays; they know no model and no treebank.
    core.treebank                                     texts as arrays; file formats.

The rooms ``languages``, ``evaluation``, ``draw`` and ``search`` serve all floors. So do ``compilation`` (of kernels),
``files``, ``serving`` and ``processes``, and the modules beside this one, such as ``errors`` and ``threads``.
``tests/test_house.py`` has the floors as a table, and fails for an arrow that points up.

In ``workspace`` a system's room (``joint/``) imports ``workspace.py`` and ``system.py``, and is listed in
``registry.py``. Compare, Runs and the methods paragraph ask all systems: they loop over that list and know none by
name. Each other background job is a ``Task`` of ``task.py``, the frame under ``System``.

**Common currency**, so that data flows without conversions:

- ``Treebank``: flat arrays over sentences. ``offsets`` int64 (S + 1,), n + 1 rows a sentence, its root at position 0;
  ``heads`` int32, counted within the sentence; words as interned ids. Filters return new treebanks.
- ``scores[h, m]``: float64 (n + 1, n + 1), row = head, column = modifier, 0 = root. -inf forbids an arc; the diagonal
  and column 0 are ignored. ``PackedScores`` holds a corpus of them back to back, and every decoder takes either.
- ``heads[m]``: the head of word m, 0 = root, -1 = unknown; ``heads[0] = -1``. Brackets count words like heads, from 1.
- Probabilities and values are in nats.

**Kernels** are the compiled functions of ``core.compilation.kernels`` over arrays, scalars and NamedTuples, checked by
nobody: the public function in front of them checks. Each is compiled for one signature, where its module does not say
why it has more: calls of a kernel bring their arrays and numbers as the others do. Arrays of a treebank are read-only,
which asks for no signature of its own: a kernel writes only into arrays that were made for it. No ``fastmath``, since
-inf is meant; no ``parallel=True``, since two threads may enter; work over a corpus goes through ``core.threads``.
Kernels that call each other share a module, because the compiler's cache does not notice an edit elsewhere. What a kind
of work compiles is a ``Warming`` (``core.compilation.compiling``) in the room of its algorithm, which its system and
its command name. Nothing is clipped or nudged: a result that fails its own check raises.

**Texts, parts, parsers.** A batch learner is a sum over the ``Parts`` of a text (``core.shards.parts``) and then an
update. A text in memory is one part, which nobody cuts; one in shards has a part for each. The ``Engine`` of the parts
adds up in this process or on Dask's workers, to the same bits wherever. What a learner makes of a part (its sentences,
their features, the candidates of constraints) are steps of ``core.shards.derived``: in memory they stay, of shards they
are taken where the shard is. What a parser can do beyond ``parse`` is named by the protocols of
``core.parsers.protocols``. A saved parser is one file; ``LOADERS`` of ``core.parsers`` names the class that reads each
kind of file.

**Stored values.** Documents and the settings of runs are JSON. Each kind is declared where it is written, as a
``DocumentKind`` or ``RunKind`` of ``core.store.shapes``: a class whose fields say by their types (``CorpusId``,
``RunId``, ``ParseKey``) which values are ids. ``core.workspace.stored`` has them all; a store is given them where a
project is restored or runs are deleted.

**Processes apart.** Large files that people bring are read by ``core.processes.apart`` in processes with limits, and
come back as byte strings (``core.treebank.packing``). ``core.workspace.readings`` keeps them going while a page asks
how far it is.

**Constraints.** ``core.constraints.language.reading`` makes a ``Constraint`` of a line; the words of the notation are
tables in ``language``. ``matching`` finds the word pairs in a treebank that a constraint speaks of. The text of a set
is read once: a ``ConstraintSet`` of ``check`` goes from the page, or a command, to the trainer. ``universal`` and
``word_order`` have constraints to begin with.

**Rules.** ``core.rules.reading`` makes a rule of a line, and ``checking`` says where a tree breaks it, for validation
too. ``searching`` seeks the best labelled tree of a sentence that breaks none. ``parsing`` asks it for those sentences
in which a parser's own tree does; ``given`` holds what is given of a tree. ``prices`` finds what breaking a rule costs
that is no law. ``counted`` sums over all labelled trees where breaking rules has a price: what
``core.constraints.grammar.ruled`` makes targets of training of, above a parser.

**A walk from a click to a kernel and back.** Somebody presses *Parse jointly*. ``pages/joint.py`` has drawn a panel of
``pages/shared/joint`` whose button calls ``System.start(inputs, plan)`` of ``core.workspace.joint.system.Joint``. That
records the settings as a run in ``core.store`` and hands ``work`` to ``core.jobs``, which runs it in a thread while the
page's job panel polls a snapshot. (Of large texts, that thread listens to a process, which does the same from the run's
record: ``core.workspace.run_apart``.) ``work`` trains with ``core.joint.JointParser``. Its features come from
``core.features``, its k-best trees from ``core.trees.eisner_kbest``: a check, then the kernels of
``core.trees.lazy_kbest``, for ranges of sentences in ``core.threads``. The trees go back as ``PackedTrees``, the best
of them as a ``Parse`` of ``core.workspace.parse``; ``system.packed`` makes one npz file of all arrays, the run's
result. The page asks ``System.latest(inputs)``: the texts are read again by the run's plan, and their hash is compared
with the run's. ``read`` makes an ``Outcome`` of the bytes, and ``core.draw`` a ``Drawing`` of a tree for the page's
component. Compare offers ``outcome.parses`` without knowing what Joint is.
"""

import os

from core.compilation.kernel_files import FOLDER, require_folder

__version__ = "0.3.0"

require_folder(os.environ.get(FOLDER))
