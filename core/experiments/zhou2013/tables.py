"""Table 1 (what each consensus feature adds) and Table 4 (sentences helped and hurt) of zhou2013."""

from dataclasses import replace
from typing import Any

from core.experiments.experiment import Findings, Lab
from core.experiments.zhou2013.pairs import beginner_pair, chinese_pair, sample_pair
from core.joint import KINDS, JointParser, JointSettings
from core.joint.baselines import concatenation, stacking
from core.joint.comparison import LATER_REWARDS, REWARDS, TUNED_ON
from core.joint.measures import effect, joint_scores

# Section 3: of how many development sentences joint inference helps and hurts how many (Table 4).
HELPED = (("CTB4", 355, 74, 26), ("CDT", 2000, 341, 97))
NOTES = [
    "The paper's CTB4 and CDT are not free, and we have Table 4's numbers but not Table 1's.",
    "Consensus weights are learnt on training text together with all others, from lists of parsers that did not "
    "see it; the paper learns them on development text.",
    "A second joint parser of each scheme serves from round 2, as lists differ once parsers have seen each other; it "
    "reads the baselines' lists too. The paper has one, and one temperature; ours is set on held-out folds.",
    "'reverse' is ours: the other parser's edge, the other way round.",
    "p value is of the sign test over words against the baseline, p stacking against stacking.",
    "Dual decomposition searches the best pair of trees, a shared arc rewarded: with the baselines' scores, or with "
    "those of the joint parsers after the last round, which see its lists; the reward is set on held-out folds.",
    "Punctuation is not scored; DA leaves out words whose gold head is the root; RA and CM count sentences.",
]


def table1(lab: Lab) -> Findings:
    """Baselines, concatenation, stacking, each feature added in turn, and dual decomposition, in both schemes."""
    rows, notes = [], []
    for pair in _pairs(lab):
        notes.append(pair.note)
        for order in (2,) if lab.quick else (1, 2):
            rows += _systems(lab, pair, order)
    return Findings(rows, [*notes, *NOTES])


def table4(lab: Lab) -> Findings:
    """How many test sentences joint inference helps and hurts."""
    rows, notes = [], []
    for pair in _pairs(lab):
        notes.append(pair.note)
        parser = JointParser(_settings(lab, pair, 2)).fit(pair.trains, names=pair.schemes, progress=lab.say)
        for number, (scheme, test) in enumerate(zip(pair.schemes, pair.tests, strict=True)):
            parses = parser.parse(test)
            found = effect(test, parses.heads(number, 0), parses.heads(number)).as_dict()
            ratio = found["helped"] / found["hurt"] if found["hurt"] else None
            name, _, helped, hurt = HELPED[number]
            shares = {"ours": ratio, "paper": helped / hurt, "sentences": len(test)}
            rows.append({"name": f"{pair.name}, {scheme}", **shares, **found, "beside": name})
    paper = [{"treebank": name, "sentences": count, "helped": a, "hurt": b} for name, count, a, b in HELPED]
    note = "ours and paper are sentences helped for each one hurt; p is of the sign test over words."
    return Findings(rows, [note, *notes, *NOTES], {"The paper's Table 4": paper})


def _pairs(lab):
    return [sample_pair(lab)] if lab.quick else [beginner_pair(lab), chinese_pair(lab)]


def _settings(lab, pair, order):
    return JointSettings(order=order, tags=pair.tags, labels=False, epochs=3 if lab.quick else 10)


def _steps(order):
    """(name, kinds): the paper's features one after the other, and ours on top."""
    kinds = [kind for kind in ("edge", "root", "sibling", "grandparent") if order > 1 or kind in ("edge", "root")]
    steps = [(f"+ {kind}", tuple(kinds[: at + 1])) for at, kind in enumerate(kinds)]
    return [*steps, ("+ reverse", KINDS)]


def _systems(lab, pair, order):
    """The rows of one pair and order."""
    settings, rows = _settings(lab, pair, order), []
    names, first, stacked = f"{pair.name}, {{}}: dep{order}", list[Any]((None, None)), list[Any]((None, None))

    def add(system, trees, **more):
        for number, (scheme, test) in enumerate(zip(pair.schemes, pair.tests, strict=True)):
            scores = joint_scores(test, trees[number])
            row = {"name": f"{names.format(scheme)} {system}".strip(), "ours": scores.uas, "paper": None}
            row |= {"da": scores.da, "ra": scores.ra, "cm": scores.cm}
            row["uas_40"] = joint_scores(test, trees[number], longest=40).uas
            if first[number] is None:
                first[number] = trees[number]
            else:
                found = effect(test, first[number], trees[number]).as_dict()
                row |= {name: found[name] for name in ("helped", "hurt", "p_value")}
            if stacked[number] is not None:
                row["p_stacking"] = effect(test, stacked[number], trees[number]).p_value
            rows.append(row | {name: values[number] for name, values in more.items()})
            lab.say(f"{row['name']}: {scores.uas:.2f}")

    parser = None
    for step, kinds in _steps(order):
        like, parser = parser, JointParser(replace(settings, kinds=kinds))
        parser.fit(pair.trains, names=pair.schemes, like=like)
        parses = [parser.parse(test) for test in pair.tests]
        if like is None:
            add("", [each.heads(number, 0) for number, each in enumerate(parses)])
            together = concatenation(pair.trains, settings)
            add("both treebanks together", [together.heads(test) for test in pair.tests])
            guided, found = stacking(pair.trains, settings, like=parser), []
            for number, test in enumerate(pair.tests):
                found.append(guided.parse(test).heads(number))
            add("stacking", found)
            stacked[:] = found
        seconds = [sum(each.seconds) for each in parses]
        add(step, [each.heads(number) for number, each in enumerate(parses)], seconds=seconds)
        if kinds != KINDS:
            paper = parser, parses  # in the end those with all of the paper's features
    parser, parses = paper
    for after, tried in ((False, REWARDS), (True, LATER_REWARDS)):
        reward = parser.best_reward(None, tried, after=after, most=TUNED_ON)
        found = [
            parser.parse_certified(test, reward, after=each if after else None)
            for test, each in zip(pair.tests, parses, strict=True)
        ]
        add(
            f"dual decomposition {'after the rounds' if after else 'of the baselines'}, {reward:g} nats",
            [each.heads[number] for number, each in enumerate(found)],
            seconds=[each.seconds for each in found],
            certified=[each.certified_share for each in found],
        )
    return rows
