// The mouse, and the entry that Streamlit calls on every run.

const FAR = 6; // pixels from which on a press is a drag

function targetOf(event) {
  const word = event.target.closest?.("g.word");
  if (word) return { word: Number(word.dataset.word) };
  const arc = event.target.closest?.("g.arc");
  return arc ? { arc: Number(arc.dataset.arc) } : null;
}

function pointOf(view, event) {
  const box = view.parts.svg.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

// The word under a point, 0 for the space above a row's arcs, -1 for none.
function wordAt(view, { x, y }) {
  const { layout, metrics } = view;
  for (const row of layout.rows) {
    if (y < row.top - 2 * metrics.margin || y > row.bottom + 20) continue;
    if (y < row.y - metrics.word * 2.2) return y < row.top + 10 ? 0 : -1;
    for (let m = row.start; m < row.end; m++) {
      if (Math.abs(layout.x[m] - x) <= layout.widths[m] / 2 + 8) return m;
    }
  }
  return -1;
}

function drawRubber(view, point) {
  let line = view.parts.svg.querySelector("path.rubber");
  if (!point) return line?.remove();
  if (!line) {
    line = svgElement("path", { class: "rubber", "aria-hidden": "true" });
    view.parts.svg.append(line);
  }
  const row = view.layout.rows.find((one) => one.start <= view.current && view.current < one.end);
  const [x, y] = [view.layout.x[view.current], row.y - view.metrics.word];
  line.setAttribute("d", `M${x},${y}L${point.x},${point.y}M${x - 4},${y - 8}L${x},${y}L${x + 4},${y - 8}`); // at the dependent
  return undefined;
}

// A press on a word or an arc; dragged onto another word it gets that head, dropped above the arcs it is the root.
function bindMouse(view) {
  const { svg } = view.parts;
  let from = null;
  svg.onpointerdown = (event) => {
    const target = targetOf(event);
    if (!target || event.button !== 0) return;
    const arc = view.drawing.arcs[target.arc];
    from = { ...pointOf(view, event), word: target.word || arc.modifier, arc, isArc: Boolean(arc), line: event.target.dataset.line };
  };
  svg.onpointermove = (event) => {
    const point = pointOf(view, event);
    if (!from) {
      view.hover = targetOf(event);
      return emphasise(view);
    }
    if (from.word > lastNode(view)) return undefined; // an empty node has no place in the tree
    if (!from.drags && Math.hypot(point.x - from.x, point.y - from.y) < FAR) return undefined;
    if (!from.drags) {
      from.drags = true;
      svg.setPointerCapture(event.pointerId);
      leave(view);
      moveTo(view, from.word);
    }
    view.candidate = wordAt(view, point);
    drawRubber(view, point);
    view.parts.prompt.textContent = dragText(view);
    return emphasise(view);
  };
  svg.onpointerup = (event) => {
    const began = from;
    from = null;
    drawRubber(view, null);
    if (!began) return;
    if (began.drags) {
      const head = wordAt(view, pointOf(view, event));
      view.candidate = null;
      if (head >= 0 && head !== began.word) dropOn(view, began.word, head);
      else refresh(view);
    } else if (view.mode === "head" && !began.isArc) takeHead(view, began.word);
    else {
      leave(view);
      if (view.options.graph && began.isArc && began.arc.below !== view.inGraph) showGraph(view, true, began.arc.below);
      if (view.inGraph && began.isArc) view.arc = [nodeIds(view)[began.arc.head], began.arc.label];
      if (began.word > lastNode(view)) showGraph(view, true, true);
      moveTo(view, began.word);
      if (began.line in view.parts.fields.inputs) openField(view, began.line);
      if (view.inGraph && began.isArc && began.arc.kind !== "candidate") relabelArc(view);
      else if (began.isArc && !view.inGraph && view.columns.heads[began.word] > 0) askRelation(view, view.columns.heads[began.word]);
    }
  };
  svg.onpointercancel = () => { from = null; drawRubber(view, null); };
  svg.onpointerleave = () => { view.hover = null; emphasise(view); };
}

function dropOn(view, word, head) {
  if (head > lastNode(view)) return refresh(view);
  view.current = word;
  if (view.inGraph) {
    view.replaced = null;
    return head ? askGraphRelation(view, head) : putArc(view, 0, "root");
  }
  push(view, { do: "attach", word, head, relation: head ? guessRelation(view, word, head) : "root" });
  if (head) askRelation(view, head);
  else moveTo(view, word);
  return undefined;
}

function bindTools(view) {
  const { parts } = view;
  const tool = (text, title, act) => {
    const button = htmlElement("button", "tool", text);
    Object.assign(button, { type: "button", title, onclick: act });
    parts.tools.prepend(button);
    return button;
  };
  tool("Keys ?", "All keys of the tree", () => parts.help.showModal());
  parts.rtl = tool("Right to left", "Draw the words from right to left", () => {
    view.rtl = !(view.rtl ?? view.data.rtl);
    syncTools(view);
    refresh(view, false);
  });
  parts.graph = tool("Graph", "The enhanced graph under the words (G: its arcs take the keys)", () => {
    showGraph(view, !view.options.graph, false);
  });
  tool("Redo", "Redo what was undone (y)", () => turn(view, "redo"));
  tool("Undo", "Undo your last change (z)", () => turn(view, "undo"));
  parts.heads = tool("Heads first", "From word to word: its head, then its relation (g)", () => {
    view.headsFirst = !view.headsFirst;
    if (view.headsFirst) nextBare(view);
    else { leave(view); moveTo(view, view.current); }
    syncTools(view);
  });
  parts.tools.prepend(buildEdits(view));
  for (const name of ["labels", "rows", "table"]) {
    parts[name].onclick = () => {
      view.options[name] = !view.options[name];
      syncTools(view);
      refresh(view);
    };
  }
  for (const [format, button] of Object.entries(parts.buttons)) {
    button.onclick = () => {
      parts.menu.open = false;
      save(view, format).catch((error) => announce(view, `Could not save the drawing: ${error.message}`));
    };
  }
  parts.glosses = tool("Glosses", "Show and type glosses and transliterations (v)", () => {
    view.options.glosses = !showsGlosses(view);
    syncTools(view);
    refresh(view);
  });
  parts.svg.onkeydown = (event) => { onKey(view, event); syncTools(view); };
}

function syncTools(view) {
  for (const name of ["labels", "rows", "table"]) view.parts[name].setAttribute("aria-pressed", view.options[name]);
  view.parts.rtl.setAttribute("aria-pressed", view.rtl ?? view.data.rtl);
  view.parts.heads.setAttribute("aria-pressed", view.headsFirst);
  view.parts.graph.setAttribute("aria-pressed", view.options.graph);
  view.parts.glosses.setAttribute("aria-pressed", showsGlosses(view));
}

function createView(parent) {
  const view = {
    parts: buildFrame(parent), options: { labels: true, rows: true, table: false, graph: false }, name: Date.now().toString(36) + Math.random().toString(36).slice(2),
    wordNodes: [], arcNodes: new Map(), current: 1, hover: null, width: 0, count: 0, queue: [], last: new Map(),
    mode: "move", typed: "", candidate: null, guess: "", inGraph: false, emptyNodes: [], wanted: "", headsFirst: false, leaving: false, waiting: [], problem: "", notice: "",
    drafts: new Map(), kept: new Set(), field: null, fieldWord: 1, offer: -1, refines: false, rank: 0, turned: [], turns: 0,
  };
  view.parts.root.classList.add("annotate");
  buildPanel(view);
  bindMouse(view);
  view.observer = new ResizeObserver(() => {
    const width = view.parts.stage.clientWidth;
    if (width === view.width || !width) return;
    view.width = width;
    refresh(view, false);
  });
  return view;
}

function showSentence(view, hadFocus) {
  for (const { groups } of view.arcNodes.values()) groups.forEach((group) => group.remove());
  view.arcNodes.clear();
  Object.assign(view, { wordNodes: [], current: view.data.focus || 1, rtl: undefined, shown: null, arc: null });
  leave(view);
  refresh(view, false);
  if (view.headsFirst) nextBare(view);
  else if (hadFocus) moveTo(view, view.current);
}

// Whether an element takes what is typed, or belongs to a dialog: then the tree that appears leaves it the focus.
function isTyping(element) {
  const inner = element?.shadowRoot?.activeElement || element;
  return Boolean(inner?.closest("input, textarea, select, [contenteditable], [role=dialog], dialog"));
}

export default function ({ parentElement, data: [data] = [], setStateValue }) {
  if (!data) return;
  const isNew = !instances.has(parentElement);
  if (isNew) instances.set(parentElement, createView(parentElement));
  const view = instances.get(parentElement);
  view.send = setStateValue;
  const rootNode = view.parts.root.getRootNode();
  const active = rootNode.activeElement;
  const hadFocus = view.parts.svg.contains(active);
  // what is typed is of the sentence under which it stands
  if (view.field && placeOf(view.data) !== placeOf(data)) view.parts.fields.inputs[view.field].blur();
  const { isOther, hasOtherWords } = receive(view, data);
  const style = getComputedStyle(view.parts.root);
  view.fonts = {
    serif: style.getPropertyValue("--tree-serif").trim() || "serif",
    sans: style.getPropertyValue("--tree-sans").trim() || "sans-serif",
  };
  if (isNew) bindTools(view);
  if (isOther) showSentence(view, view.parts.root.contains(active) || (isNew && !isTyping(document.activeElement)));
  else if (hasOtherWords) showOtherWords(view, hadFocus);
  else {
    placeCursor(view);
    refresh(view);
    if (hadFocus && !view.parts.svg.contains(rootNode.activeElement)) moveTo(view, view.current);
  }
  const isOtherWord = !isOther && Boolean(data.focus) && data.focus !== view.focus;
  if (isOtherWord) moveTo(view, data.focus);
  view.focus = data.focus;
  if (view.hasTurned) announce(view, [view.parts.live.textContent, turnedText(view)].filter(Boolean).join(". "));
  if (data.said) announce(view, data.said);
  showFaults(view);
  syncTools(view);
  view.width = view.parts.stage.clientWidth;
  view.observer.observe(view.parts.stage);
  if (view.leaving && !view.queue.some((step) => step.do === view.leaving)) {
    if (view.leaving === "go" && !isOther && !isOtherWord) notice(view, "There is no further sentence");
    arrive(view);
  }
}
