"""A proposal of a sentence's enhanced graph, by rules from its tree.

The rules are those that Universal Dependencies describe for enhanced dependencies, but for empty nodes:

- Obliques, nominal modifiers, adverbial and adnominal clauses and conjuncts are named by the word that introduces them
  and, in languages whose nouns have cases, by their case: ``obl:in``, ``conj:and``.
- A conjunct has the head that the first one has. A shared subject is that of each conjunct, and so is an object behind
  them.
- The subject of an open clause (xcomp) is the object of the verb above it, else its subject.
- A relative pronoun is ``ref`` of the word that it stands for, and this word has its place in the clause. Without a
  pronoun it is the subject where there is none, else the object of the innermost verb without one.
"""

import regex

from core.annotation.edits import SentenceAnnotation
from core.treebank.graphs import SentenceGraph, deps_field
from core.treebank.relations import base

NAMED_BY = {"obl": ("case",), "nmod": ("case",), "advcl": ("mark", "case"), "acl": ("mark", "case"), "conj": ("cc",)}
NAME = regex.compile(r"[\p{L}\p{M}]+(?:_[\p{L}\p{M}]+)*")  # of a word in a relation
SUBJECTS = ("nsubj", "csubj")
VOICED = ("nsubj", "nsubj:pass")
OPEN_SUBJECT = "nsubj:xsubj"
RELATIVE = ("acl:relcl", "advcl:relcl")
OF_FIRST = ("conj", "root", "parataxis")  # relations that conjuncts do not share
WITH_CASE = ("NOUN", "PROPN", "ADJ", "DET", "NUM")  # whose Case says that the language has cases; pronouns keep theirs


def proposed_graph(annotation: SentenceAnnotation) -> SentenceGraph:
    """The graph that a tree has by rule: a SentenceGraph without empty nodes, and without arcs where heads are unknown.

    The tree must be a forest. O(n^2) for n words.

    Source: universaldependencies.org/u/overview/enhanced-syntax.html.
    """
    arcs = _GraphRules(annotation).arcs()
    return SentenceGraph(tuple(deps_field((str(head), relation) for head, relation in own) for own in arcs))


class _GraphRules:
    """The arcs of one sentence while rules add to them: ``graph[m]`` has (head, relation) of word m, each once."""

    def __init__(self, annotation):
        self.tree, n = annotation, len(annotation)
        self.words = range(1, n + 1)
        self.below = [[] for _ in range(n + 1)]
        self.relations = [
            "" if head < 0 else name for head, name in zip(annotation.heads, annotation.deprels, strict=True)
        ]
        for word in self.words:
            if annotation.heads[word] >= 0:
                self.below[annotation.heads[word]].append(word)
        self.graph = [{} for _ in range(n + 1)]
        pairs = zip(annotation.upos, annotation.feats, strict=True)
        self.has_cases = any(tag in WITH_CASE and _feature(feats, "Case") for tag, feats in pairs)

    def arcs(self):
        for word in self._downwards():
            relation = self.relations[word]
            self._add(word, self.tree.heads[word], relation + self._suffix(word, relation))
        for word in self.words:
            self._relative(word)
        for word in self.words:
            if self._is(word, "conj") and self.tree.heads[word] > 0:
                self._share_head(word)
                self._share_subject(word)
                self._share_object(word)
        for word in self._downwards():
            if self._is(word, "xcomp") and self.tree.upos[word] != "PART":
                self._control(word)
        return self.graph

    def _downwards(self):
        """All words under the root, heads before their modifiers; then those under a word without a head."""
        tree = self.tree
        order = self.below[0] + [word for word in self.words if tree.heads[word] < 0]
        for word in order:
            order += self.below[word]
        return [word for word in order if tree.heads[word] >= 0]

    def _is(self, word, *relations):
        return base(self.relations[word]) in relations

    def _children(self, word, *relations):
        return [child for child in self.below[word] if self._is(child, *relations)]

    def _add(self, word, head, relation):
        if head != word:
            self.graph[word][head, relation] = None

    def _governed(self, head, *relations):
        """The words with an arc from ``head`` of one of these relations, subtypes left out."""
        return [
            word for word in self.words if any(at == head and base(name) in relations for at, name in self.graph[word])
        ]

    def _suffix(self, word, relation):
        """What introduces a word, and its case, as they are added to its relation."""
        if relation not in NAMED_BY:
            return ""
        names = [name for marker in self._markers(word, relation) if (name := self._name(marker))]
        case = self._case(word) if relation in ("obl", "nmod") else ""
        return "".join(f":{name}" for name in (*names[-1:], case) if name)

    def _markers(self, word, relation):
        if relation == "conj":
            own = self._conjunctions(word)
            return own or next(filter(None, map(self._conjunctions, self._siblings(word))), [])
        markers = [
            child
            for child in self._children(word, *NAMED_BY[relation])
            if self.tree.upos[child] != "PART" or self._is(child, "mark")
        ]
        if not markers and relation == "advcl":
            adverbs = self._children(word, "advmod")
            markers = [child for child in adverbs if _feature(self.tree.feats[child], "PronType") in ("Int", "Rel")][:1]
        return markers

    def _conjunctions(self, word):
        return [child for child in self.below[word] if self.relations[child] == "cc"]

    def _siblings(self, word):
        """The other conjuncts: those behind a word, then those before it, the nearest first."""
        siblings = self._children(self.tree.heads[word], "conj")
        return [other for other in siblings if other > word] + [other for other in siblings[::-1] if other < word]

    def _name(self, marker):
        """A word of function as it stands in a relation: its lemma, of a participle its form; "" for a sign."""
        tree = self.tree
        parts = sorted([marker, *self._children(marker, "fixed")])
        names = [tree.forms[at] if tree.upos[at] == "VERB" else tree.lemmas[at] or tree.forms[at] for at in parts]
        name = "_".join(names).lower()
        return name if NAME.fullmatch(name) else ""

    def _case(self, word):
        """The case of a word as it stands in a relation, where the language has cases and FEATS gives just one."""
        case = _feature(self.tree.feats[word], "Case").lower() if self.has_cases else ""
        return case if case.isalpha() else ""

    def _share_head(self, word):
        """A conjunct has the arcs of the first one, under its own preposition if it has one."""
        first, tree = self.tree.heads[word], self.tree
        for head, name in list(self.graph[first]):
            if base(name) in OF_FIRST:
                continue
            relation = self.relations[first]
            own = self._suffix(word, relation) if head == tree.heads[first] else ""
            self._add(word, head, relation + own if own else name)

    def _share_subject(self, word):
        """A conjunct without a subject has that of the first one."""
        first = self.tree.heads[word]
        if self._children(word, *SUBJECTS, "expl"):
            return
        for subject in self._governed(first, *SUBJECTS):
            for head, relation in list(self.graph[subject]):
                is_own = self.tree.heads[subject] == first and base(relation) in SUBJECTS
                if head == first and (is_own or relation in VOICED):
                    self._add(subject, word, self._voiced(word, relation))

    def _voiced(self, word, relation):
        """The relation of a shared subject in the voice of another verb."""
        if relation not in VOICED:
            return relation
        has_auxiliary = any(self.relations[child] == "aux:pass" for child in self.below[word])
        is_passive = has_auxiliary or _feature(self.tree.feats[word], "Voice") == "Pass"
        return "nsubj:pass" if is_passive else "nsubj"

    def _share_object(self, word):
        """An object behind two verbs is that of both."""
        if not self._children(word, "obj"):
            for other in self._children(self.tree.heads[word], "obj"):
                if other > word:
                    self._add(other, word, self.relations[other])

    def _relative(self, word):
        """The pronoun of a relative clause stands for the word that it modifies, in all conjuncts of the clause."""
        tree, top = self.tree, word
        while self._is(top, "conj"):
            top = tree.heads[top]
        if self.relations[top] not in RELATIVE or tree.heads[top] == 0:
            return
        antecedent, pronoun = tree.heads[top], self._pronoun(word)
        if pronoun is None:
            if word == top and self.relations[top] == RELATIVE[0]:
                self._fill_gap(antecedent, word)
            return
        own, self.graph[pronoun] = self.graph[pronoun], {(antecedent, "ref"): None}
        if self.relations[top] == RELATIVE[0]:
            for head, relation in own:
                if head != antecedent:
                    self._add(antecedent, head, "obl" if base(relation) in ("advmod", "obl") else relation)

    def _pronoun(self, clause):
        """The first relative pronoun of a clause that is not in a clause of its own; None where there is none."""
        inside = [clause]
        for word in inside:
            inside += [
                child
                for child in self.below[word]
                if not self._is(child, "conj") and self.relations[child] not in RELATIVE
            ]
        pronouns = [word for word in inside if _feature(self.tree.feats[word], "PronType") == "Rel"]
        return min(pronouns, default=None)

    def _fill_gap(self, antecedent, clause):
        """A relative clause without pronoun: its antecedent has the place that no word of it has."""
        if not self._children(clause, *SUBJECTS):
            self._add(antecedent, clause, self._voiced(clause, "nsubj"))
            return
        verb = clause
        while inner := [at for at in self._children(verb, "xcomp", "ccomp") if self.tree.upos[at] in ("VERB", "AUX")]:
            verb = inner[0]
        if not self._children(verb, "obj", "cop"):
            stranded = (self.tree.upos[child] == "ADP" for child in self._children(verb, "obl", "advmod"))
            self._add(antecedent, verb, "obl" if any(stranded) else "obj")

    def _control(self, word):
        """The object above an open clause, else the subject there, is its subject."""
        if self._children(word, *SUBJECTS):
            return
        governor = self.tree.heads[word]
        found = (self._governed(governor, *kinds) for kinds in (("obj",), ("iobj",), SUBJECTS))
        open_verbs = [
            word, *(child for child in self._children(word, "conj") if not self._children(child, *SUBJECTS))
        ]  # fmt: skip
        for subject in next(filter(None, found), []):
            for verb in open_verbs:
                self._add(subject, verb, OPEN_SUBJECT)


def _feature(feats, name):
    """The value of a feature in a FEATS field, "" without."""
    return next((pair.partition("=")[2] for pair in feats.split("|") if pair.partition("=")[0] == name), "")
