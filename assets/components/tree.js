// The dependency tree on the page: pointing, selecting, keys, and the entry that Streamlit calls. Joined behind the
// other tree-*.js files by pages/shared/tree.py.

const views = new WeakMap(); // the component's root -> its view, across reruns

// ---- pointing, selecting, keys ------------------------------------------------------------------------------------

// What is pointed at: {word: m} or {arc: number}; hovering goes before the focused word, that before the selection.
function pointedAt(view) {
  return view.hover || (view.focused ? { word: view.current } : null) || view.selected;
}

function emphasise(view) {
  const { drawing, parts } = view;
  const target = pointedAt(view);
  const arcs = new Set();
  const words = new Set();
  if (target) {
    if (target.word) words.add(target.word);
    drawing.arcs.forEach((arc, i) => {
      if (target.arc === i || (target.word && (arc.head === target.word || arc.modifier === target.word))) {
        arcs.add(i);
        words.add(arc.head).add(arc.modifier);
      }
    });
  }
  parts.svg.classList.toggle("focusing", Boolean(target));
  for (const group of [...view.arcNodes.values()].flatMap((node) => node.groups)) {
    const number = Number(group.dataset.arc);
    group.classList.toggle("lit", arcs.has(number));
    group.classList.toggle("chosen", view.selected?.arc === number);
  }
  view.wordNodes.forEach((node, m) => {
    if (!node) return;
    const chosen = view.selected?.word === m;
    node.group.classList.toggle("lit", words.has(m));
    node.group.classList.toggle("chosen", chosen);
    node.group.setAttribute("aria-selected", chosen);
  });
  for (const row of parts.tableBox.querySelectorAll("tr[data-word]")) {
    row.classList.toggle("chosen", Boolean(target?.word) && Number(row.dataset.word) === target.word);
  }
  parts.said.textContent = describeTarget(view, target);
  parts.keys.hidden = !view.focused;
}

function describeTarget(view, target) {
  if (target?.word) return wordDescription(view, target.word);
  if (target?.arc !== undefined) {
    const arc = view.drawing.arcs[target.arc];
    return `${wordName(view.drawing, arc.modifier)}, ${arcDetails(view.drawing, arc)}`;
  }
  return "";
}

function same(first, second) {
  return first?.word === second?.word && first?.arc === second?.arc;
}

function select(view, target) {
  const chosen = same(view.selected, target) ? null : target;
  if (same(view.selected, chosen)) return;
  view.selected = chosen;
  emphasise(view);
  const arc = chosen?.arc === undefined ? null : view.drawing.arcs[chosen.arc];
  view.send("sel", chosen && {
    id: view.drawing.id,
    word: arc ? arc.modifier : chosen.word,
    arc: arc && { head: arc.head, modifier: arc.modifier, below: arc.below },
  });
}

function targetOf(event) {
  const word = event.target.closest?.("g.word");
  if (word) return { word: Number(word.dataset.word) };
  const arc = event.target.closest?.("g.arc");
  return arc ? { arc: Number(arc.dataset.arc) } : null;
}

function moveTo(view, m) {
  if (!(m >= 1 && m < view.drawing.words.length)) return;
  view.current = m;
  view.wordNodes.forEach((node, i) => node?.group.setAttribute("tabindex", i === m ? 0 : -1));
  view.wordNodes[m].group.focus();
}

function onKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const { drawing, current } = view;
  const onward = drawing.rtl ? -1 : 1;
  const head = mainArc(drawing, current);
  const actions = {
    ArrowRight: () => moveTo(view, current + onward),
    ArrowLeft: () => moveTo(view, current - onward),
    ArrowUp: () => (head && head.head > 0 ? moveTo(view, head.head) : announce(view, `${isolated(drawing.words[current])} is attached to the root`)),
    ArrowDown: () => {
      const first = drawing.words.findIndex((_, m) => m > 0 && mainArc(drawing, m)?.head === current);
      return first > 0 ? moveTo(view, first) : announce(view, `${isolated(drawing.words[current])} has no dependents`);
    },
    Home: () => moveTo(view, 1),
    End: () => moveTo(view, drawing.words.length - 1),
    Enter: () => select(view, event.shiftKey && head ? { arc: drawing.arcs.indexOf(head) } : { word: current }),
    " ": () => select(view, { word: current }),
    Escape: () => {
      view.hover = null;
      if (view.selected) select(view, null);
      else emphasise(view);
    },
  };
  if (!actions[event.key]) return;
  event.preventDefault();
  event.stopPropagation();
  actions[event.key]();
}

function bindEvents(view) {
  const { parts } = view;
  parts.svg.onpointerover = (event) => { view.hover = targetOf(event); emphasise(view); };
  parts.svg.onpointerleave = () => { view.hover = null; emphasise(view); };
  parts.svg.onclick = (event) => {
    const target = targetOf(event);
    if (target?.word) moveTo(view, target.word);
    view.focused = false; // a click points by itself; the ring is for the keyboard
    select(view, target);
  };
  parts.svg.onkeydown = (event) => onKey(view, event);
  parts.svg.addEventListener("focusin", (event) => {
    const word = event.target.closest("g.word");
    if (!word) return;
    view.current = Number(word.dataset.word);
    view.focused = word.matches(":focus-visible");
    if (view.focused) word.scrollIntoView({ block: "nearest", inline: "nearest" });
    emphasise(view);
  });
  parts.svg.addEventListener("focusout", () => { view.focused = false; emphasise(view); });
  const flip = (name) => () => {
    view.options[name] = !view.options[name];
    syncTools(view);
    if (name === "table") parts.tableBox.hidden = !view.options.table;
    else draw(view, true);
  };
  parts.labels.onclick = flip("labels");
  parts.rows.onclick = flip("rows");
  parts.table.onclick = flip("table");
  for (const [format, button] of Object.entries(parts.buttons)) {
    button.onclick = () => {
      parts.menu.open = false;
      save(view, format).catch((error) => announce(view, `Could not save the drawing: ${error.message}`));
    };
  }
  parts.menu.onkeydown = (event) => {
    if (event.key !== "Escape" || !parts.menu.open) return;
    parts.menu.open = false;
    parts.menu.firstChild.focus();
  };
  parts.tableBox.onclick = (event) => {
    const row = event.target.closest("tr[data-word]");
    if (row) select(view, { word: Number(row.dataset.word) });
  };
}

function syncTools(view) {
  for (const name of ["labels", "rows", "table"]) view.parts[name].setAttribute("aria-pressed", view.options[name]);
}

// ---- entry --------------------------------------------------------------------------------------------------------

function createView(parent, data) {
  const view = {
    parts: buildFrame(parent),
    options: { labels: data.options.labels, rows: data.options.rows, table: data.options.table },
    wordNodes: [], arcNodes: new Map(), current: 1, selected: null, hover: null, focused: false, width: 0,
  };
  bindEvents(view);
  view.observer = new ResizeObserver(() => {
    const width = view.parts.stage.clientWidth;
    if (width === view.width || !width) return;
    view.width = width;
    draw(view, false);
  });
  return view;
}

function changesOf(before, after) {
  const heads = (drawing) => drawing.words.map((_, m) => mainArc(drawing, m)?.head ?? -1);
  const [old, now] = [heads(before), heads(after)];
  return now.map((head, m) => [m, head]).filter(([m, head]) => m > 0 && head !== old[m]);
}

function tellChanges(view, before) {
  const changes = changesOf(before, view.drawing);
  if (!changes.length) return;
  const few = changes.slice(0, 3).map(([m, head]) => `${wordName(view.drawing, m)}, head ${wordName(view.drawing, head)}`);
  const count = `${changes.length} arc${changes.length === 1 ? "" : "s"} changed`;
  announce(view, `${count}: ${few.join("; ")}${changes.length > 3 ? "; and more" : ""}`);
}

// Scroll the drawing, not the page, until a word that was chosen elsewhere stands in its middle.
function reveal(view, word) {
  const stage = view.parts.stage;
  const [frame, box] = [stage, view.wordNodes[word]?.group].map((node) => node?.getBoundingClientRect());
  if (!box) return;
  if (box.top < frame.top || box.bottom > frame.bottom) stage.scrollTop += (box.top + box.bottom - frame.top - frame.bottom) / 2;
  if (box.left < frame.left || box.right > frame.right) stage.scrollLeft += (box.left + box.right - frame.left - frame.right) / 2;
}

export default function ({ parentElement, data: [data] = [], setStateValue }) {
  if (!data) return;
  if (!views.has(parentElement)) views.set(parentElement, createView(parentElement, data));
  const view = views.get(parentElement);
  view.send = setStateValue;
  const before = view.drawing;
  const isSame = before?.id === data.id;
  view.drawing = data;
  if (!isSame) {
    Object.assign(view, { selected: null, hover: null, current: 1, focused: false, wordNodes: [] });
    for (const { groups } of view.arcNodes.values()) groups.forEach((group) => group.remove());
    view.arcNodes.clear();
  } else if (view.selected?.arc !== undefined) {
    const chosen = before.arcs[view.selected.arc]; // its number may have changed, or the arc be gone
    const found = data.arcs.findIndex((arc) =>
      arc.head === chosen.head && arc.modifier === chosen.modifier && arc.below === chosen.below);
    view.selected = found < 0 ? null : { arc: found };
  }
  view.hover = null; // it may point at an arc that is gone
  if (data.selected !== view.lastSelected) view.selected = data.selected ? { word: data.selected } : view.selected;
  const isChosen = data.selected && (!isSame || data.selected !== view.lastSelected);
  view.lastSelected = data.selected;
  if (data.selected && !isSame) [view.selected, view.current] = [{ word: data.selected }, data.selected];
  const style = getComputedStyle(view.parts.root);
  view.fonts = {
    serif: style.getPropertyValue("--tree-serif").trim() || "serif",
    sans: style.getPropertyValue("--tree-sans").trim() || "sans-serif",
  };
  view.parts.stage.style.maxHeight = data.options.height ? `${data.options.height}px` : "";
  fillLegend(view);
  fillTable(view);
  syncTools(view);
  view.parts.tableBox.hidden = !view.options.table;
  view.width = view.parts.stage.clientWidth;
  draw(view, isSame);
  if (isChosen) reveal(view, data.selected);
  if (isSame) tellChanges(view, before);
  view.observer.observe(view.parts.stage);
}
