// The tree editor: modes, keys, the mouse, and the entry that Streamlit calls. Joined behind tree-*.js and the other
// annotate-*.js by pages/shared/annotate/editor.py. A key is never timed: each one acts when it is pressed.

function refresh(view, glide = true) {
  const shown = [
    view.columns, view.data, view.width, view.rtl, view.options.labels, view.options.rows, view.options.glosses,
    view.options.graph, view.inGraph,
  ];
  const isSame = view.shown?.every((value, i) => value === shown[i]); // only the cursor or the mode has moved
  view.shown = shown;
  if (isSame) emphasise(view);
  else {
    view.drawing = drawingOf(view);
    draw(view, glide);
    fillLegend(view);
  }
  showHints(view);
  showChoices(view);
  if (view.inGraph) showGraphFields(view);
  else showFields(view);
  view.parts.ask.box.hidden = view.mode !== "words";
  view.parts.prompt.setAttribute("aria-live", view.mode === "move" ? "off" : "polite");
  view.parts.prompt.textContent = view.notice || promptText(view);
  view.parts.problem.textContent = view.problem;
  view.parts.tableBox.hidden = !view.options.table;
  if (view.options.table) fillTable(view);
}

// Called by draw(): which words and arcs are meant.
function emphasise(view) {
  const target = view.hover?.arc !== undefined ? view.drawing.arcs[view.hover.arc]?.modifier : view.hover?.word;
  for (const group of [...view.arcNodes.values()].flatMap((node) => node.groups)) {
    const arc = view.drawing.arcs[Number(group.dataset.arc)];
    group.classList.toggle("lit", Boolean(arc) && (arc.modifier === target || arc.modifier === view.current));
    group.classList.toggle("chosen", Boolean(arc) && arc.below && isChosenArc(view, arc));
    const isTurned = arc?.kind === "candidate" && view.turned.includes(arc.modifier);
    group.classList.toggle("turned", isTurned);
    group.classList.toggle("again", isTurned && view.turns % 2 > 0); // so that what shows it begins anew
  }
  view.wordNodes.forEach((node, m) => {
    if (!node) return;
    node.group.classList.toggle("chosen", m === view.current);
    node.group.classList.toggle("candidate", view.mode === "head" && m === view.candidate);
    node.group.setAttribute("aria-selected", m === view.current);
  });
}

function moveTo(view, word) {
  if (!(word >= 1 && word <= lastNode(view))) return;
  Object.assign(view, { current: word, notice: "" });
  view.wordNodes.forEach((node, m) => node?.group.setAttribute("tabindex", m === word ? 0 : -1));
  view.wordNodes[word].group.focus();
  refresh(view);
}

// ---- modes --------------------------------------------------------------------------------------------------------

function leave(view) {
  Object.assign(view, { mode: "move", typed: "", candidate: null, guess: "", refines: false, notice: "" });
}

function askHead(view, word) {
  view.current = word;
  const offered = (view.data.versions[0] || view.columns).heads[word];
  Object.assign(view, { mode: "head", typed: "", candidate: offered >= 0 ? offered : null, guess: "" });
  moveTo(view, word);
}

function askRelation(view, head) {
  Object.assign(view, { mode: "relation", head, typed: "", refines: false, guess: guessRelation(view, view.current, head) });
  moveTo(view, view.current);
}

function nextBare(view) {
  leave(view);
  const word = view.headsFirst ? firstBare(view, view.current) : 0;
  if (word) askHead(view, word);
  else moveTo(view, view.current);
}

function takeHead(view, head) {
  if (head === view.current || head > lastNode(view)) return;
  if (view.inGraph) return void (head === 0 ? putArc(view, 0, "root") : askGraphRelation(view, head));
  if (head === 0) {
    push(view, { do: "attach", word: view.current, head: 0, relation: "root" });
    announce(view, `${isolated(view.data.words[view.current])} is the root`);
    nextBare(view);
  } else askRelation(view, head);
}

function choose(view, value) {
  const { current, mode, columns, head } = view;
  if (view.inGraph) return mode === "upos" ? sendNode(view, "upos", value || "") : putArc(view, head, value);
  if (mode === "upos") {
    act(view, "upos", value);
    leave(view);
    return moveTo(view, current);
  }
  if (mode === "relation" && view.refines && view.data.subtypes[baseOf(value)]) return void askSubtype(view, baseOf(value), head);
  if (columns.heads[current] === head) act(view, "relation", value);
  else push(view, { do: "attach", word: current, head, relation: value });
  announce(view, `${isolated(view.data.words[current])} is ${value} of ${isolated(view.data.words[head]) || "the root"}`);
  return nextBare(view);
}

// A field of the current word gets another value.
function act(view, field, value, word = view.current) {
  if (field === "head") {
    if (value < 0) push(view, { do: "detach", word });
    else push(view, { do: "attach", word, head: value, relation: value ? guessRelation(view, word, value) : "root" });
  } else {
    const column = field === "relation" ? "deprels" : field;
    if (view.columns[column][word] === value) return;
    push(view, { do: "change", column, word, value });
  }
  refresh(view);
}

const TAG_COLUMNS = ["upos", "xpos"];
const NO_PROPOSAL = "There is no proposal; choose a parser in Options";

function takeProposal(view, word, number = 0) {
  const proposal = view.data.versions[number];
  if (!proposal) return notice(view, NO_PROPOSAL);
  const from = { proposal: view.data.proposal }; // whose, for Check 20
  if (word) {
    if (proposal.heads[word] < 0) return notice(view, "The proposal has no head for this word");
    const tags = Object.fromEntries(TAG_COLUMNS.map((name) => [name, filledTag(view.columns, proposal, name, word)]));
    push(view, { ...from, do: "attach", word, head: proposal.heads[word], relation: proposal.deprels[word], tags });
  } else {
    const values = { heads: proposal.heads.slice(1), deprels: proposal.deprels.slice(1) };
    for (const name of TAG_COLUMNS) {
      values[name] = view.columns[name].map((_, m) => filledTag(view.columns, proposal, name, m)).slice(1);
    }
    push(view, { ...from, do: "adopt", values });
  }
  refresh(view);
  return undefined;
}

// Shows the next best of the parser's trees; behind the last one the best again.
function nextTree(view) {
  const { versions, others } = view.offered;
  if (versions.length !== 1) return notice(view, versions.length ? "Only a parser’s proposal has a next tree" : NO_PROPOSAL);
  if (!others.length) return notice(view, "The parser has no other tree with these arcs");
  const before = view.data.versions;
  view.rank = (view.rank + 1) % (others.length + 1);
  view.data = ranked(view.offered, view.rank);
  markTurned(view, before, view.data.versions);
  refresh(view);
  return announce(view, [`Tree ${view.rank + 1} of ${others.length + 1}`, turnedText(view)].filter(Boolean).join(". "));
}

function turnedText(view) {
  const words = view.turned.map((m) => `${m} ${isolated(view.data.words[m])}`).join(", ");
  return words ? `Proposed arcs turned: ${words}` : "";
}

function turn(view, direction) {
  push(view, { do: direction, session: view.data.session });
}

function go(view, by, status) {
  const draft = openDraft(view);
  if (draft) { // it would be out of sight there
    view.current = draft.word;
    refresh(view);
    return openField(view, draft.name);
  }
  if (status) push(view, { do: "status", status });
  push(view, { do: "go", by });
  view.leaving = "go"; // what is typed until the other sentence is here is kept for it
  view.waiting = [];
}

function arrive(view) {
  const typed = view.waiting;
  view.leaving = false;
  view.waiting = [];
  for (const pressed of typed) press(view, ...pressed);
}

function nextFault(view) {
  const words = view.data.faults.map(([word]) => word).filter(Boolean);
  if (!words.length) return notice(view, "No faults");
  return moveTo(view, words.find((word) => word > view.current) || words[0]);
}

// ---- keys ---------------------------------------------------------------------------------------------------------

function stepAside(view, by) {
  const n = lastNode(view);
  let word = view.candidate || view.current;
  do word += view.drawing.rtl ? -by : by; while (word === view.current && word >= 1 && word <= n);
  if (word < 0 || word > n) return;
  view.candidate = word;
  refresh(view);
  announce(view, wordName(view.drawing, word));
}

function pressForHead(view, key, shift) {
  const keys = wordKeys(lastNode(view));
  if (key === "ArrowRight" || key === "ArrowLeft") return stepAside(view, key === "ArrowRight" ? 1 : -1);
  if (key === "Escape") {
    view.headsFirst = false;
    leave(view);
    return moveTo(view, view.current);
  }
  if (key === "Enter") {
    if (shift && view.data.versions.length && !view.inGraph) {
      takeProposal(view, view.current);
      return nextBare(view);
    }
    return view.candidate === null ? undefined : takeHead(view, view.candidate);
  }
  if (view.inGraph && (key === "Backspace" || key === " ")) return askGraphHead(view, view.adds);
  if (key === "Backspace") {
    if (view.typed) view.typed = "";
    else view.current = Math.max(1, view.current - 1);
    return askHead(view, view.current);
  }
  if (key === " ") {
    const next = firstBare(view, (view.current % (keys.length - 1)) + 1);
    return next ? askHead(view, next) : undefined;
  }
  if (key.length !== 1) return false;
  const typed = view.typed + key.toLowerCase();
  const found = keys.indexOf(typed);
  if (found >= 0) return takeHead(view, found);
  view.typed = keys.some((one) => one.startsWith(typed)) ? typed : "";
  return refresh(view);
}

function pressForChoice(view, key) {
  if (key === "Escape" || key === "Backspace") {
    const back = view.mode !== "upos" && view.headsFirst;
    leave(view);
    return back ? askHead(view, view.current) : moveTo(view, view.current);
  }
  if (key === "Enter") return choose(view, view.guess || view.columns.upos[view.current]);
  if (key === ":" && view.mode === "relation" && !view.inGraph) {
    view.refines = !view.refines;
    return refresh(view);
  }
  const found = choicesOf(view).find(([, one]) => one === key);
  if (found) return choose(view, found[0]);
  return key.length === 1 ? notice(view, `No choice has the key ${key}`) : false;
}

const MOVES = {
  ArrowRight: (view) => moveTo(view, view.current + (view.drawing.rtl ? -1 : 1)),
  ArrowLeft: (view) => moveTo(view, view.current - (view.drawing.rtl ? -1 : 1)),
  ArrowUp: (view) => moveTo(view, view.columns.heads[view.current]),
  ArrowDown: (view) => moveTo(view, view.columns.heads.indexOf(view.current)),
  Home: (view) => moveTo(view, 1),
  End: (view) => moveTo(view, view.data.words.length - 1),
  h: (view) => askHead(view, view.current),
  r: (view) => (view.columns.heads[view.current] > 0 ? askRelation(view, view.columns.heads[view.current])
    : notice(view, "Choose its head first, with h")),
  ":": (view) => askSubtype(view, baseOf(view.columns.deprels[view.current]), view.columns.heads[view.current]),
  0: (view) => takeHead(view, 0),
  Delete: (view, shift) => (shift ? editWords(view, "delete") : act(view, "head", -1)),
  s: (view) => editWords(view, "split"),
  m: (view) => editWords(view, "merge"),
  t: (view) => editWords(view, "token"),
  w: (view) => editWords(view, "form"),
  W: (view) => editWords(view, "token-form"),
  i: (view) => editWords(view, "insert"),
  j: (view) => editWords(view, "space"),
  S: (view) => editWords(view, "split-sentence"),
  M: (view) => editWords(view, "merge-sentences"),
  u: (view) => { leave(view); view.mode = "upos"; moveTo(view, view.current); },
  x: (view) => openField(view, "xpos"),
  l: (view) => openField(view, "lemmas"),
  f: (view) => openField(view, "feats"),
  v: (view) => { view.options.glosses = true; refresh(view); openField(view, "gloss"); },
  a: (view) => takeProposal(view, view.current),
  A: (view) => takeProposal(view, 0),
  k: nextTree,
  1: (view) => takeProposal(view, view.current, 0),
  2: (view) => takeProposal(view, view.current, 1),
  g: (view) => { view.headsFirst = true; nextBare(view); },
  e: nextFault,
  d: (view) => push(view, { do: "status", status: "done" }),
  o: (view) => push(view, { do: "status", status: "doubtful" }),
  b: (view) => push(view, { do: "status", status: "begun" }),
  Enter: (view) => go(view, 1, "done"),
  n: (view) => go(view, 1),
  p: (view) => go(view, -1),
  G: (view) => showGraph(view, true, true),
  z: (view) => turn(view, "undo"),
  y: (view) => turn(view, "redo"),
  Escape: (view) => { view.headsFirst = false; leave(view); refresh(view); },
  "?": (view) => view.parts.help.showModal(),
};

// Carries out a key, which writes ``typed``; false where it means nothing here.
function press(view, key, shift, typed = key) {
  view.notice = "";
  if (view.leaving && key === "Escape") view.leaving = false;
  if (view.leaving) return void view.waiting.push([key, shift, typed]);
  if (view.mode === "words") return typeForm(view, typed);
  if (view.field) return typeInField(view, typed, shift);
  if (key === "?") return MOVES["?"](view);
  if (view.mode === "head") return pressForHead(view, key, shift);
  if (view.mode !== "move") return pressForChoice(view, key);
  if (view.inGraph && TREE_ONLY.includes(key)) return notice(view, "This key is for the tree; press G first");
  const move = (view.inGraph && GRAPH_MOVES[key]) || MOVES[key];
  return move ? move(view, shift) : false;
}

// The letter on the key where the keyboard writes another script.
function keyOf(event) {
  const isLatin = event.key.length > 1 || /[ -~]/.test(event.key);
  if (isLatin || !/^Key[A-Z]$/.test(event.code)) return event.key;
  return event.shiftKey ? event.code.slice(3) : event.code.slice(3).toLowerCase();
}

function onKey(view, event) {
  const isCommand = event.ctrlKey || event.metaKey;
  if (event.altKey || event.key === "Tab" || event.key === "Shift") return;
  const key = keyOf(event);
  if (isCommand && key.toLowerCase() !== "z") return;
  if (isCommand) turn(view, event.shiftKey ? "redo" : "undo");
  else if (press(view, key, event.shiftKey, event.key) === false) return;
  event.preventDefault();
  event.stopPropagation();
}
