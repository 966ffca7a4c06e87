"""What each relation of Universal Dependencies says of its two words, in a few words of our own."""

from types import MappingProxyType

# relation -> what stands where, after "the word ..."
MEANINGS = MappingProxyType(
    {
        "acl": "heads a clause that modifies the noun it attaches to",
        "advcl": "heads a clause that modifies the predicate it attaches to",
        "advmod": "is an adverb that modifies the word it attaches to",
        "amod": "is an adjective that modifies the noun it attaches to",
        "appos": "names again what the noun before it names",
        "aux": "is an auxiliary of the verb it attaches to",
        "case": "marks the role of the noun it attaches to, as a preposition does",
        "cc": "joins the conjunct that follows, to which it attaches",
        "ccomp": "heads a clause with a subject of its own that its verb takes as object",
        "clf": "is a classifier of the number it attaches to",
        "compound": "makes one compound with the word it attaches to",
        "conj": "is a later conjunct; it attaches to the first one",
        "cop": "is the copula of the predicate it attaches to",
        "csubj": "heads a clause that is the subject of its predicate",
        "dep": "attaches by a relation that nobody has named",
        "det": "is a determiner of the noun it attaches to",
        "discourse": "is an interjection or particle outside the clause's structure",
        "dislocated": "is placed outside its clause, which takes it up again",
        "expl": "fills a place of its predicate without a meaning of its own",
        "fixed": "is a later part of a fixed expression; it attaches to the first part",
        "flat": "is a later part of a name; it attaches to the first part",
        "goeswith": "is a later part of a word that was split by mistake",
        "iobj": "is a second object without a preposition",
        "list": "is a later item of a list; it attaches to the first one",
        "mark": "introduces the clause whose head it attaches to",
        "nmod": "is a noun that modifies the noun it attaches to",
        "nsubj": "is the subject of its predicate",
        "nummod": "is a number that counts the noun it attaches to",
        "obj": "is the object of its verb",
        "obl": "is a noun that modifies a predicate, and neither its subject nor its object",
        "orphan": "lost its own head to ellipsis",
        "parataxis": "heads a clause placed side by side with the main one",
        "punct": "is punctuation",
        "reparandum": "was said by mistake and is mended by the word it attaches to",
        "root": "heads the whole sentence",
        "vocative": "names who is spoken to",
        "xcomp": "heads a clause without a subject of its own, which it takes from its verb",
    }
)


def meaning(relation: str) -> str:
    """What a relation says of the word that has it, after "the word"; "" for one that UD does not have.

    A subtype, ``nsubj:pass``, has the meaning of what stands before its colon.
    """
    return MEANINGS.get(relation.partition(":")[0], "")
