// The enhanced graph of a sentence in the tree editor: drawn under the words on request, and then changed by the keys of
// the tree. Nodes are numbered as they are drawn: 0 the root, 1..n the words, then the empty nodes. ``columns.graph``
// has the DEPS field of each node by its id, or is null; what a change of the tree brings along is the twin of
// core/treebank/graphs.py.

const NAMED_ALIKE = [["obl", "nmod"], ["advcl", "acl"]]; // relations that the same words name

function nodeIds(view) {
  return view.data.words.map((_, m) => String(m)).concat(view.emptyNodes.map(([id]) => id));
}

// The last node that the keys reach.
function lastNode(view) {
  return view.data.words.length - 1 + (view.inGraph ? view.emptyNodes.length : 0);
}

function nodeName(view, node) {
  return wordName(view.drawing, node);
}

function arcsIn(field) {
  return (field || "").split("|").filter(Boolean).map((arc) => {
    const at = arc.indexOf(":");
    return [arc.slice(0, at), arc.slice(at + 1)];
  });
}

function sameArc(one, other) {
  return Boolean(one && other) && one[0] === other[0] && one[1] === other[1];
}

function depsField(arcs) {
  const place = ([head]) => head.split(".").map(Number);
  const order = (one, other) => compareLists([...place(one), 0], [...place(other), 0]) || (one[1] < other[1] ? -1 : 1);
  return [...arcs].sort(order).map((arc) => arc.join(":")).join("|");
}

// ---- changes ------------------------------------------------------------------------------------------------------

// Which arc is the basic one, perhaps with more in its relation.
function basicCopy(arcs, head, relation) {
  const own = arcs.filter((arc) => arc[0] === String(head));
  return own.find((arc) => arc[1] === relation) || own.find((arc) => arc[1].startsWith(`${relation}:`));
}

function broughtAlong(field, [oldHead, old], [head, relation]) {
  if (oldHead === head && old === relation) return field;
  const arcs = arcsIn(field);
  const copy = basicCopy(arcs, oldHead, old);
  if (!copy && oldHead >= 0) return field;
  const left = arcs.filter((arc) => arc !== copy);
  if (head < 0) return depsField(left);
  const isAlike = old === relation || NAMED_ALIKE.some((kinds) => kinds.includes(old) && kinds.includes(relation));
  const now = [String(head), relation + (copy && isAlike ? copy[1].slice(old.length) : "")];
  return depsField([...left.filter((arc) => !sameArc(arc, now)), now]);
}

// Columns after a change of the tree, with the graph brought along.
function withGraph(before, after) {
  if (!before.graph || (before.heads === after.heads && before.deprels === after.deprels)) return after;
  const graph = { ...before.graph };
  for (let m = 1; m < after.heads.length; m++) {
    graph[m] = broughtAlong(graph[m], [before.heads[m], before.deprels[m]], [after.heads[m], after.deprels[m]]);
  }
  return { ...after, graph };
}

function basicFields(columns) {
  const fields = {};
  columns.heads.forEach((head, m) => {
    if (m > 0) fields[m] = head < 0 ? "" : `${head}:${columns.deprels[m]}`;
  });
  return fields;
}

function applyToGraph(columns, step) {
  if (step.do === "no graph") return { ...columns, graph: null };
  const graph = { ...(columns.graph || basicFields(columns)) };
  if (step.do === "graph") return { ...columns, graph: Object.assign(graph, step.fields) };
  const left = arcsIn(graph[step.node]).filter((arc) => !sameArc(arc, step.old) && !sameArc(arc, step.new));
  graph[step.node] = depsField(step.new ? [...left, step.new] : left);
  return { ...columns, graph };
}

// Columns after any step: one of the graph, or one of the tree that brings the graph along.
function applyToAll(columns, step) {
  if (["arc", "graph", "no graph"].includes(step.do)) return applyToGraph(columns, step);
  return withGraph(columns, applyStep(columns, step));
}

// ---- what is drawn ------------------------------------------------------------------------------------------------

function arcsTo(view, node) {
  const { columns } = view;
  return arcsIn((columns.graph || basicFields(columns))[nodeIds(view)[node]]);
}

function isBasic({ columns }, node, [head, relation]) {
  return columns.heads[node] >= 0 && head === String(columns.heads[node]) && relation === columns.deprels[node];
}

function isByRule(view, node, arc) {
  const touchesEmpty = node >= view.data.words.length || arc[0].includes(".");
  const { columns, data } = view;
  const copy = node < view.data.words.length && basicCopy([arc], columns.heads[node], columns.deprels[node]);
  return touchesEmpty || Boolean(copy) || arcsIn(data.graph.proposed[node]).some((other) => sameArc(arc, other));
}

// Adds to a drawing of the tree the empty nodes and, under the words, the arcs that differ from the basic ones.
function addGraph(view, drawing) {
  const { data, columns, emptyNodes } = view;
  const ids = nodeIds(view);
  const under = (head, modifier, label, kind, disagrees) => ({
    head, modifier, label, kind, disagrees, posterior: null, note: "", below: true, agrees: false,
  });
  const arcs = drawing.arcs.filter((arc) => !view.inGraph || isMain(arc));
  for (let node = 1; node < ids.length; node++) {
    const own = arcsTo(view, node);
    for (const arc of own.filter((one) => !isBasic(view, node, one))) {
      arcs.push(under(ids.indexOf(arc[0]), node, arc[1], "third", !isByRule(view, node, arc)));
    }
    if (!view.inGraph || node >= data.words.length) continue;
    for (const arc of arcsIn(data.graph.proposed[node])) {
      const isThere = own.some((other) => sameArc(arc, other)) || isBasic(view, node, arc);
      if (!isThere) arcs.push(under(ids.indexOf(arc[0]), node, arc[1], "candidate", false));
    }
  }
  const known = arcs.filter((arc) => arc.head >= 0);
  const has = (test) => known.some((arc) => arc.below && test(arc));
  const legend = [
    ...(drawing.legend.length ? drawing.legend : [["gold", "", "tree"]]).filter(([kind]) => !view.inGraph || !VERSION_KINDS.includes(kind)),
    ...(has((arc) => arc.kind === "third" && !arc.disagrees) ? [["third", "", "enhanced"]] : []),
    ...(has((arc) => arc.disagrees) ? [["third", "7 4", "enhanced, not by rule"]] : []),
    ...(has((arc) => arc.kind === "candidate") ? [["candidate", "1 4", "proposed by rule"]] : []),
  ];
  const meanings = [...drawing.meanings, ["third", "enhanced"], ...(view.inGraph ? [["candidate", "proposed by rule"]] : [])];
  const blank = emptyNodes.map(() => "");
  return {
    ...drawing, legend, meanings, arcs: known, last: data.words.length - 1, above: "tree", below: "graph",
    words: [...drawing.words, ...emptyNodes.map(([id, form]) => `[${[id, form].filter(Boolean).join(" ")}]`)],
    tags: [...drawing.tags, ...emptyNodes.map(([, , tag]) => tag)],
    lines: (drawing.lines || []).map((line) => ({ ...line, values: [...line.values, ...blank] })),
    id: `${drawing.id} ${columns.graph ? "graph" : ""}`,
  };
}

// ---- the arc that is meant ----------------------------------------------------------------------------------------

// The arcs of the current node, and which of them the keys change: the one chosen last, else one beyond the tree.
function chosenArc(view) {
  const arcs = arcsTo(view, view.current);
  const chosen = arcs.find((arc) => sameArc(arc, view.arc))
    || arcs.find((arc) => !isBasic(view, view.current, arc)) || arcs[0] || null;
  return { arcs, chosen, at: arcs.indexOf(chosen) };
}

function isChosenArc(view, arc) {
  if (!view.inGraph || arc.modifier !== view.current || arc.kind === "candidate") return false;
  const { chosen } = chosenArc(view);
  return Boolean(chosen) && chosen[0] === nodeIds(view)[arc.head] && chosen[1] === arc.label;
}

function showGraph(view, isShown, takesKeys) {
  leave(view);
  const word = Math.max(1, parseInt(nodeIds(view)[view.current], 10) || 1);
  Object.assign(view, { inGraph: takesKeys, arc: null, headsFirst: false });
  if (!takesKeys) view.current = word;
  view.options.graph = isShown;
  syncTools(view);
  refresh(view);
  moveTo(view, view.current);
}

function askGraphHead(view, isNew) {
  const { chosen } = chosenArc(view);
  view.adds = isNew || !chosen;
  view.replaced = view.adds ? null : chosen;
  const candidate = view.adds ? null : nodeIds(view).indexOf(chosen[0]);
  Object.assign(view, { mode: "head", typed: "", candidate, guess: "" });
  moveTo(view, view.current);
}

function askGraphRelation(view, head) {
  const id = nodeIds(view)[head];
  const offered = arcsIn(view.data.graph.proposed[view.current]).find((arc) => arc[0] === id);
  const usual = head < view.data.words.length && view.current < view.data.words.length;
  const own = view.replaced?.[1] || (usual ? guessRelation(view, view.current, head) : LOOSE);
  const guess = view.replaced?.[0] === id ? own : offered?.[1] || (own === "root" ? LOOSE : own);
  Object.assign(view, { mode: "relation", head, typed: "", guess });
  moveTo(view, view.current);
}

function relabelArc(view) {
  const { chosen } = chosenArc(view);
  if (!chosen) return notice(view, "This word has no enhanced arc; add one with i");
  if (chosen[0] === "0") return notice(view, "The arc from the root is always root");
  view.replaced = chosen;
  return askGraphRelation(view, nodeIds(view).indexOf(chosen[0]));
}

// Sends an arc in place of the one that was chosen, or as one more.
function putArc(view, head, relation) {
  const now = [nodeIds(view)[head], relation];
  const was = view.replaced || null;
  view.replaced = null;
  leave(view);
  if (sameArc(was, now)) return moveTo(view, view.current);
  if (arcsTo(view, view.current).some((arc) => sameArc(arc, now))) {
    moveTo(view, view.current);
    return notice(view, `${now[1]} from ${nodeName(view, head)} is there already`);
  }
  push(view, { do: "arc", node: nodeIds(view)[view.current], old: was, new: now });
  view.arc = now;
  announce(view, `${nodeName(view, view.current)} is ${relation} of ${nodeName(view, head)} in the graph`);
  return moveTo(view, view.current);
}

function deleteArc(view) {
  const { chosen } = chosenArc(view);
  if (!chosen) return notice(view, "This word has no enhanced arc");
  push(view, { do: "arc", node: nodeIds(view)[view.current], old: chosen, new: null });
  view.arc = null;
  return refresh(view);
}

function nextArc(view) {
  const { arcs, at } = chosenArc(view);
  view.arc = arcs.length ? arcs[(at + 1) % arcs.length] : null;
  refresh(view);
  if (view.arc) announce(view, `${view.arc[1]} from ${view.arc[0]}`);
}

function takeGraphProposal(view, isWhole) {
  const { proposed } = view.data.graph;
  const fields = isWhole ? proposed : { [view.current]: proposed[view.current] };
  if (!isWhole && view.current >= view.data.words.length) return notice(view, "No arc is proposed for an empty node");
  push(view, { do: "graph", fields });
  view.arc = null;
  announce(view, isWhole ? "The proposed graph is taken" : "The proposed arcs of the word are taken");
  return refresh(view);
}

// ---- empty nodes --------------------------------------------------------------------------------------------------

// Adds an empty node behind the current node, or changes the current one. Python carries it out: ids may change.
function editNode(view, edit) {
  if (!view.inGraph) showGraph(view, true, true);
  const own = view.emptyNodes[view.current - view.data.words.length];
  if (edit === "add") return askForms(view, edit, "");
  if (!own) return notice(view, "This is a word; choose an empty node, or press G for the tree");
  if (edit in NODE_FIELDS) return askNodeValue(view, edit, own[NODE_FIELDS[edit]]);
  if (edit === "delete") return sendNode(view, edit, "");
  Object.assign(view, { mode: "upos", guess: own[2] });
  return moveTo(view, view.current);
}

function askNodeValue(view, edit, value) {
  askForms(view, edit, edit === "feats" ? openFeats(value) : value);
  const { input } = view.parts.ask;
  if (edit === "feats") input.setSelectionRange(input.value.length, input.value.length);
}

// Sends what was typed for an empty node, unless it is no list of features; nothing is a form that is not known.
function takeNodeValue(view, text) {
  const { edit } = view;
  const value = edit === "feats" ? cleanFeatures(text) : text;
  const question = edit === "feats" ? featureQuestion([], [], () => true, value) : null;
  if (question) return notice(view, question.problem);
  return sendNode(view, edit, value || (["add", "forms"].includes(edit) ? "_" : ""));
}

function sendNode(view, edit, value) {
  const node = nodeIds(view)[view.current];
  const [word] = node.split(".");
  const before = view.emptyNodes.filter(([id]) => id.split(".")[0] === word).length;
  leave(view);
  push(view, { do: "empty", edit, node, value });
  const wanted = { add: `${word}.${before + 1}`, delete: word }[edit] || "";
  Object.assign(view, { leaving: "empty", waiting: [], wanted });
  return moveTo(view, view.current);
}

// The cursor goes to the empty node that was added, or to the word before one that was deleted.
function placeCursor(view) {
  if (view.wanted && nodeIds(view).includes(view.wanted)) {
    view.current = nodeIds(view).indexOf(view.wanted);
    view.wanted = "";
  }
  view.current = Math.min(view.current, lastNode(view));
}

function toGraphHead(view) {
  const { chosen } = chosenArc(view);
  if (chosen && chosen[0] !== "0") moveTo(view, nodeIds(view).indexOf(chosen[0]));
}

function toGraphDependent(view) {
  const id = nodeIds(view)[view.current];
  const found = nodeIds(view).findIndex((_, node) => node > 0 && arcsTo(view, node).some((arc) => arc[0] === id));
  if (found > 0) moveTo(view, found);
}

// Keys that mean an enhanced arc while the graph takes them; the others are as for the tree.
const GRAPH_MOVES = {
  h: (view) => askGraphHead(view, false),
  i: (view) => askGraphHead(view, true),
  r: relabelArc,
  v: nextArc,
  0: (view) => { view.replaced = chosenArc(view).chosen; putArc(view, 0, "root"); },
  Delete: (view, shift) => (shift ? editNode(view, "delete") : deleteArc(view)),
  N: (view) => editNode(view, "add"),
  w: (view) => editNode(view, "forms"),
  u: (view) => editNode(view, "upos"),
  l: (view) => editNode(view, "lemmas"),
  x: (view) => editNode(view, "xpos"),
  f: (view) => editNode(view, "feats"),
  a: (view) => takeGraphProposal(view, false),
  A: (view) => takeGraphProposal(view, true),
  X: (view) => {
    if (!view.columns.graph) return notice(view, "This sentence has no graph");
    push(view, { do: "no graph" });
    if (view.current > lastNode(view)) view.current = 1;
    return moveTo(view, view.current);
  },
  ArrowUp: toGraphHead,
  ArrowDown: toGraphDependent,
  End: (view) => moveTo(view, lastNode(view)),
  G: (view) => showGraph(view, true, false),
  Escape: (view) => showGraph(view, true, false),
};
const TREE_ONLY = ["s", "m", "t", "W", "j", ":", "g", "1", "2"];

// ---- around the drawing -------------------------------------------------------------------------------------------

// Relations to choose from: in the graph also those that this sentence has or the rules propose, under digits.
function relationChoices(view) {
  if (!view.inGraph) return view.data.relations;
  const fields = [...Object.values(view.data.graph.proposed), ...Object.values(view.columns.graph || {})];
  const known = new Set(view.data.relations.map(([name]) => name));
  const own = arcsIn(view.data.graph.proposed[view.current]).map((arc) => arc[1]);
  const longer = new Set([...own, "ref", "nsubj:xsubj", ...fields.flatMap(arcsIn).map((arc) => arc[1])]);
  const more = [...longer].filter((name) => name !== "root" && !known.has(name)).slice(0, 9);
  return [...more.map((name, i) => [name, String(i + 1)]), ...view.data.relations];
}

function graphPrompt(view) {
  const { arcs, chosen, at } = chosenArc(view);
  const isNone = view.columns.graph ? "" : "no graph yet · ";
  const meant = chosen
    ? `arc ${at + 1} of ${arcs.length}: ${chosen[1]} of ${nodeName(view, nodeIds(view).indexOf(chosen[0]))}` : "no arc";
  const isEmpty = view.current >= view.data.words.length;
  const more = isEmpty ? "w form · l lemma · u UPOS · f features · ⇧ Delete the node" : "A proposal";
  return `Graph: ${isNone}${nodeName(view, view.current)}, ${meant} · h head · r relation · i one more · v next · Delete · N empty node · ${more} · G tree`;
}

function buildGraphFields(view) {
  const box = htmlElement("div", "fields");
  const name = htmlElement("span", "form");
  box.append(name);
  const controls = {};
  for (const [key, title, tag] of [["arc", "Enhanced arc", "select"], ["head", "Head", "select"], ["relation", "Relation", "input"]]) {
    const label = htmlElement("label", "", title);
    controls[key] = htmlElement(tag);
    label.append(controls[key]);
    box.append(label);
  }
  const { arc, head, relation } = controls;
  arc.onchange = () => { view.arc = arcsTo(view, view.current)[Number(arc.value)]; refresh(view); };
  head.onchange = () => {
    view.replaced = chosenArc(view).chosen;
    const chosen = Number(head.value);
    if (chosen === 0) putArc(view, 0, "root");
    else askGraphRelation(view, chosen);
  };
  relation.spellcheck = false;
  relation.onchange = () => {
    view.replaced = chosenArc(view).chosen;
    if (relation.value.trim() && view.replaced) putArc(view, nodeIds(view).indexOf(view.replaced[0]), relation.value.trim());
  };
  relation.onkeydown = (event) => {
    event.stopPropagation();
    if (event.key === "Escape") showGraphFields(view, true);
    if (event.key === "Escape" || event.key === "Enter") moveTo(view, view.current);
  };
  return { box, name, ...controls };
}

function showGraphFields(view, isReset = false) {
  const { name, arc, head, relation } = view.parts.graphFields;
  const { arcs, chosen, at } = chosenArc(view);
  const ids = nodeIds(view);
  name.textContent = nodeName(view, view.current);
  const titles = arcs.map(([from, label], i) => [String(i), `${label} of ${nodeName(view, ids.indexOf(from))}`]);
  fillOptions(arc, titles.length ? titles : [["", "none"]], chosen ? String(at) : "");
  const heads = ids.map((_, node) => [String(node), nodeName(view, node)]).filter((_, node) => node !== view.current);
  fillOptions(head, [["", "none"], ...heads], chosen ? String(ids.indexOf(chosen[0])) : "");
  if (isReset || relation !== view.parts.root.getRootNode().activeElement) relation.value = chosen ? chosen[1] : "";
}
