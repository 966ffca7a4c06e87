// What stands under the tree: what to do now, keys to choose from, the fields of a word, faults, all keys.

const KEY_HELP = [
  ["← →", "previous, next word"], ["Home End", "first, last word"], ["↑ ↓", "head, first dependent"], ["h", "choose a head, then the relation"],
  ["r", "choose the relation"], [":", "choose a subtype of the relation"], ["0", "make it the root"], ["Delete", "remove its head"],
  ...WORD_KEYS.map(([key, , , meaning]) => [key, meaning]),
  ["u", "choose the UPOS"], ["x l f v", "type XPOS, lemma, features, gloss"], ["a, 1 2", "take the proposal for the word; of two, the first or second"],
  ["A", "take the whole proposal"], ["k", "show the parser’s next best tree"], ["g", "heads first: from word to word, its head, then its relation"],
  ["G", "the enhanced graph takes the keys, and the tree again"],
  ["e", "next fault"], ["d o b", "mark the sentence done, doubtful, begun"], ["Enter", "done, and on to the next sentence"],
  ["n p", "next, previous sentence"], ["z, Ctrl+Z", "undo"], ["y, Ctrl+Shift+Z", "redo"], ["?", "this list"],
  ["Esc", "cancel"], ["mouse", "drag a word onto its head, or above the arcs to make it the root"],
];
const GRAPH_HELP = [
  ["h r 0 Delete", "change the head or relation of the arc, delete it"], ["i v", "one more arc of the word; its next arc"],
  ...NODE_KEYS.map(([key, , , meaning]) => [key, meaning]),
  ["a A", "take the arcs proposed for the word, or the whole proposal"], ["X", "remove the graph"],
  ["↑ ↓ End", "along its arcs; to the last node"], ["G Esc", "back to the tree"],
];
const MODE_HELP = [ // keys that mean something else for a while
  ["In the enhanced graph", GRAPH_HELP],
  ["While a head is chosen", [
    ["the key under a word", "makes it the head"], ["← → Enter", "choose a word, take it"], ["Shift+Enter", "take the proposal’s head and relation"],
    ["Space", "skip the word"], ["Backspace", "back to the word before"],
  ]],
  ["While a relation is chosen", [["Enter", "take the one that is framed"], [":", "then its key: choose a subtype of it"], ["Backspace", "back"]]],
  ["In a field", [
    ["↓ ↑", "choose what is offered"], ["Enter", "take it; a gloss leads to the next word’s"], ["Shift+Enter", "keep what is typed"],
    ["Esc", "take back what is typed"],
  ]],
];
const FIELDS = [["xpos", "XPOS"], ["lemmas", "Lemma"], ["feats", "Features"], ...ENTRIES];

function buildPanel(view) {
  const { parts } = view;
  const said = htmlElement("div", "problem");
  said.setAttribute("role", "alert");
  const prompt = htmlElement("div", "prompt");
  const keys = htmlElement("div", "choices");
  keys.setAttribute("role", "group");
  const fields = buildFields(view);
  const graphFields = buildGraphFields(view);
  const faults = htmlElement("ul", "faults");
  faults.setAttribute("aria-label", "Faults");
  const help = htmlElement("dialog", "help");
  help.setAttribute("aria-label", "Keys");
  const [lists, modes] = [htmlElement("div", "lists"), htmlElement("div")];
  lists.append(keyList(KEY_HELP), modes);
  for (const [title, pairs] of MODE_HELP) modes.append(htmlElement("h3", "", title), keyList(pairs));
  const close = htmlElement("button", "tool", "Close");
  close.type = "button";
  close.onclick = () => help.close();
  help.append(htmlElement("h2", "", "Keys, while the tree has the focus"), close, lists);
  const ask = buildAsk(view);
  const work = htmlElement("div", "work");
  const [note, offers] = [htmlElement("div", "note"), htmlElement("div", "choices offers")];
  note.setAttribute("role", "alert");
  offers.setAttribute("role", "group");
  offers.setAttribute("aria-label", "Values offered");
  offers.hidden = true;
  work.append(prompt, keys, ask.box, fields.box, graphFields.box, note, offers);
  parts.stage.after(said, work);
  parts.root.append(faults, help);
  parts.said.parentElement.hidden = true; // its line is the prompt here
  Object.assign(parts, { problem: said, prompt, choices: keys, ask, fields, graphFields, note, offers, faults, help });
}

function keyList(pairs) {
  const list = htmlElement("dl");
  for (const [key, meaning] of pairs) list.append(htmlElement("dt", "", key), htmlElement("dd", "", meaning));
  return list;
}

function buildFields(view) {
  const box = htmlElement("div", "fields");
  const word = htmlElement("span", "form");
  box.append(word);
  const labelled = (title, control) => {
    const label = htmlElement("label", "", title);
    label.append(control);
    box.append(label);
    return control;
  };
  const head = labelled("Head", htmlElement("select"));
  const relation = labelled("Relation", htmlElement("select"));
  const upos = labelled("UPOS", htmlElement("select"));
  const inputs = {};
  for (const [name, title] of FIELDS) inputs[name] = labelled(title, htmlElement("input", name));
  head.onchange = () => act(view, "head", Number(head.value));
  relation.onchange = () => act(view, "relation", relation.value);
  upos.onchange = () => act(view, "upos", upos.value);
  for (const [name, input] of Object.entries(inputs)) bindField(view, name, input);
  return { box, word, head, relation, upos, inputs };
}

function fillOptions(select, names, chosen) {
  const wanted = names.some(([value]) => value === chosen) ? names : [[chosen, chosen], ...names];
  const text = JSON.stringify(wanted);
  if (select.dataset.options !== text) {
    select.replaceChildren(...wanted.map(([value, title]) => {
      const option = htmlElement("option", "", title);
      option.value = value;
      return option;
    }));
    select.dataset.options = text;
  }
  select.value = chosen;
}

function showFields(view) {
  const { data, columns, current, parts } = view;
  const { word, head, relation, upos, inputs } = parts.fields;
  word.textContent = `${current} ${isolated(data.words[current])}`;
  const words = data.words.map((form, m) => [String(m), m === 0 ? "0 root" : `${m} ${isolated(form)}`]);
  fillOptions(head, [["-1", "none"], ...words.filter((_, m) => m !== current)], String(columns.heads[current]));
  const named = (pairs) => [["", "none"], ...pairs.map(([name]) => [name, name])];
  fillOptions(relation, named(relationNames(data).map((name) => [name])), columns.deprels[current]);
  fillOptions(upos, named(data.upos), columns.upos[current]);
  for (const [name, input] of Object.entries(inputs)) {
    if (input !== view.parts.root.getRootNode().activeElement) input.value = draftOf(view, name)?.text ?? columns[name][current];
  }
  for (const [name] of ENTRIES) inputs[name].parentElement.hidden = !showsGlosses(view);
  showHelp(view);
}

function promptText(view) {
  const { data, mode, current, columns } = view;
  const name = nodeName(view, current);
  if (mode === "head") {
    const offered = view.candidate === null ? "" : ` · Enter: ${wordName(view.drawing, view.candidate)}`;
    const typed = view.typed ? ` ${view.typed}…` : "";
    const skips = view.inGraph ? "" : " · Space skips";
    return `Head of ${name}?${typed} Press the key under it, 0 for the root${offered} · ← → choose${skips} · Esc ends`;
  }
  if (mode === "relation") {
    const which = view.refines ? "relation, before its subtype?" : "relation?";
    const refine = view.refines ? "" : " · : with a subtype";
    return `${name} under ${wordName(view.drawing, view.head)}: its ${which} Enter: ${view.guess}${refine} · Esc back`;
  }
  if (mode === "subtype") return `${name}: which ${view.base}? Enter: ${view.guess} · Esc back`;
  if (view.field) return fieldText(view);
  if (mode === "words") return askText(view);
  if (mode === "upos") return `UPOS of ${name}? · Esc back`;
  if (view.inGraph) return graphPrompt(view);
  const bare = columns.heads.filter((head, m) => m > 0 && head < 0).length;
  if (view.headsFirst && !bare) return "Every word has a head. Enter: done, and on to the next sentence · ← → to look again";
  const counted = bare ? `${bare} ${bare === 1 ? "word" : "words"} without head · ` : "";
  const offers = data.versions.length > 1 ? "1 or 2 takes a version for the word · e next difference · " : "";
  return `${offers}${counted}g heads first · h head · r relation · u UPOS · s split · m merge · Enter done, next · ? all keys${othersText(data.annotators)}`;
}

// While a word is dragged: which of the two words will be the head.
function dragText(view) {
  const { current, candidate } = view;
  const name = nodeName(view, current);
  if (candidate === null || candidate < 0 || candidate === current) {
    return `Head of ${name}? Drop it on its head, or above the arcs to make it the root`;
  }
  return candidate === 0 ? `${name} becomes the root` : `${wordName(view.drawing, candidate)} becomes the head of ${name}`;
}

function showChoices(view) {
  const { parts, data, mode } = view;
  const pairs = choicesOf(view);
  parts.choices.hidden = !pairs.length;
  parts.fields.box.hidden = Boolean(pairs.length) || mode === "words" || Boolean(view.inGraph);
  parts.graphFields.box.hidden = Boolean(pairs.length) || mode === "words" || !view.inGraph;
  parts.choices.setAttribute("aria-label", mode === "upos" ? "Tags" : "Relations");
  const shown = JSON.stringify([mode, data.id, view.base, view.inGraph && pairs.map(([name]) => name)]);
  if (parts.choices.dataset.mode === shown && parts.choices.dataset.guess === view.guess) return;
  Object.assign(parts.choices.dataset, { mode: shown, guess: view.guess });
  parts.choices.replaceChildren(...pairs.map(([value, key]) => {
    const button = htmlElement("button", value === view.guess && mode !== "upos" ? "choice guess" : "choice");
    button.type = "button";
    button.tabIndex = -1;
    button.append(htmlElement("kbd", "", key), document.createTextNode(value));
    button.onclick = () => { choose(view, value); moveTo(view, view.current); };
    return button;
  }));
}

function showFaults(view) {
  const { data, parts } = view;
  parts.faults.replaceChildren(...data.faults.map(([word, isGrave, message]) => {
    const item = htmlElement("li", isGrave ? "grave" : "");
    const button = htmlElement("button", "", word ? `${word} ${isolated(data.words[word])}` : "Sentence");
    button.type = "button";
    button.onclick = () => { leave(view); moveTo(view, word || 1); };
    item.append(button, document.createTextNode(` ${message}`));
    return item;
  }));
}

// Keys under the words while a head is chosen; the chosen candidate and the word itself are ringed.
function showHints(view) {
  const { parts, layout, metrics } = view;
  let group = parts.svg.querySelector("g.hints");
  if (!group) {
    group = svgElement("g", { class: "hints", "aria-hidden": "true" });
    parts.svg.append(group);
  }
  group.replaceChildren();
  const last = lastNode(view);
  const keys = wordKeys(last);
  const isAsked = view.mode === "head";
  for (let m = 1; m <= last; m++) {
    const said = wordDescription(view, m);
    view.wordNodes[m].group.setAttribute("aria-label", isAsked && m !== view.current ? `${said}, key ${keys[m]}` : said);
  }
  if (!isAsked) return;
  const depth = metrics.word * 0.35 + underWords(view.drawing, metrics) + 11;
  for (let m = 1; m <= last; m++) {
    if (m === view.current) continue;
    const row = layout.rows.find((one) => one.start <= m && m < one.end);
    const isLeft = view.typed && !keys[m].startsWith(view.typed);
    const place = { x: layout.x[m].toFixed(1), y: (row.y + depth).toFixed(1) };
    group.append(svgElement("text", { ...place, class: isLeft ? "hint out" : "hint", "text-anchor": "middle" }, keys[m]));
  }
}
