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
  line.setAttribute("d", `M${view.layout.x[view.current]},${row.y - view.metrics.word}L${point.x},${point.y}`);
  return undefined;
}

// A press on a word or an arc; dragged onto another word it gets that head, dropped above the arcs it is the root.
function bindMouse(view) {
  const { svg } = view.parts;
  let from = null;
  svg.onpointerdown = (event) => {
    const target = targetOf(event);
    if (!target || event.button !== 0) return;
    const word = target.word || view.drawing.arcs[target.arc].modifier;
    from = { ...pointOf(view, event), word, isArc: target.arc !== undefined, label: event.target.closest("text.label") };
  };
  svg.onpointermove = (event) => {
    const point = pointOf(view, event);
    if (!from) {
      view.hover = targetOf(event);
      return emphasise(view);
    }
    if (!from.drags && Math.hypot(point.x - from.x, point.y - from.y) < FAR) return undefined;
    if (!from.drags) {
      from.drags = true;
      svg.setPointerCapture(event.pointerId);
      leave(view);
      moveTo(view, from.word);
    }
    view.candidate = wordAt(view, point);
    drawRubber(view, point);
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
    } else if (view.mode === "head" && !began.isArc) takeHead(view, began.word);
    else {
      leave(view);
      moveTo(view, began.word);
      if (began.isArc && view.columns.heads[began.word] > 0) askRelation(view, view.columns.heads[began.word]);
    }
  };
  svg.onpointercancel = () => { from = null; drawRubber(view, null); };
  svg.onpointerleave = () => { view.hover = null; emphasise(view); };
}

function dropOn(view, word, head) {
  view.current = word;
  push(view, { do: "attach", word, head, relation: head ? guessRelation(view, word, head) : "root" });
  if (head) askRelation(view, head);
  else moveTo(view, word);
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
  tool("Redo", "Redo what was undone (y)", () => turn(view, "redo"));
  tool("Undo", "Undo your last change (z)", () => turn(view, "undo"));
  parts.heads = tool("Heads first", "From word to word: its head, then its relation (g)", () => {
    view.headsFirst = !view.headsFirst;
    if (view.headsFirst) nextBare(view);
    else { leave(view); moveTo(view, view.current); }
    syncTools(view);
  });
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
  parts.svg.onkeydown = (event) => { onKey(view, event); syncTools(view); };
}

function syncTools(view) {
  for (const name of ["labels", "rows", "table"]) view.parts[name].setAttribute("aria-pressed", view.options[name]);
  view.parts.rtl.setAttribute("aria-pressed", view.rtl ?? view.data.rtl);
  view.parts.heads.setAttribute("aria-pressed", view.headsFirst);
}

function createView(parent) {
  const view = {
    parts: buildFrame(parent), options: { labels: true, rows: true, table: false }, name: Date.now().toString(36) + Math.random().toString(36).slice(2),
    wordNodes: [], arcNodes: new Map(), current: 1, hover: null, width: 0, count: 0, queue: [], last: new Map(),
    mode: "move", typed: "", candidate: null, guess: "", headsFirst: false, leaving: false, waiting: [], problem: "",
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
  Object.assign(view, { wordNodes: [], current: view.data.focus || 1, rtl: undefined, shown: null });
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

export default function ({ parentElement, data, setStateValue }) {
  if (!data) return undefined;
  const isNew = !instances.has(parentElement);
  if (isNew) instances.set(parentElement, createView(parentElement));
  const view = instances.get(parentElement);
  view.send = setStateValue;
  const rootNode = view.parts.root.getRootNode();
  const hadFocus = view.parts.svg.contains(rootNode.activeElement);
  const isOther = receive(view, data);
  const style = getComputedStyle(view.parts.root);
  view.fonts = {
    serif: style.getPropertyValue("--tree-serif").trim() || "serif",
    sans: style.getPropertyValue("--tree-sans").trim() || "sans-serif",
  };
  if (isNew) bindTools(view);
  if (isOther) showSentence(view, hadFocus || (isNew && !isTyping(document.activeElement)));
  else refresh(view);
  if (!isOther && data.focus && data.focus !== view.focus) moveTo(view, data.focus);
  view.focus = data.focus;
  if (data.said) announce(view, data.said);
  showFaults(view);
  syncTools(view);
  view.width = view.parts.stage.clientWidth;
  view.observer.observe(view.parts.stage);
  if (view.leaving && !view.queue.some((step) => step.do === "go")) {
    if (!isOther) announce(view, "There is no further sentence");
    arrive(view);
  }
  return () => {
    view.observer.disconnect();
    cancelAnimationFrame(view.frame);
  };
}
