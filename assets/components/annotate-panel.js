// What stands under the tree: what to do now, keys to choose from, the fields of a word, faults, all keys.

const KEY_HELP = [
  ["← →", "previous, next word"], ["↑ ↓", "head, first dependent"], ["h", "choose a head, then the relation"],
  ["r", "choose the relation"], ["0", "make it the root"], ["Delete", "remove its head"],
  ["u", "choose the UPOS"], ["x l f", "type XPOS, lemma, features"], ["a, 1 2", "take the proposal for the word; of two, the first or second"],
  ["A", "take the whole proposal"], ["g", "heads first: from word to word, its head, then its relation"],
  ["e", "next fault"], ["d o b", "mark the sentence done, doubtful, begun"], ["Enter", "done, and on to the next sentence"],
  ["n p", "next, previous sentence"], ["z, Ctrl+Z", "undo"], ["y, Ctrl+Shift+Z", "redo"], ["?", "this list"],
  ["Esc", "cancel"],
];
const FIELDS = [["xpos", "XPOS"], ["lemmas", "Lemma"], ["feats", "Features"]];

function buildPanel(view) {
  const { parts } = view;
  const said = htmlElement("div", "problem");
  said.setAttribute("role", "alert");
  const prompt = htmlElement("div", "prompt");
  const keys = htmlElement("div", "choices");
  keys.setAttribute("role", "group");
  const fields = buildFields(view);
  const faults = htmlElement("ul", "faults");
  faults.setAttribute("aria-label", "Faults");
  const help = htmlElement("dialog", "help");
  help.setAttribute("aria-label", "Keys");
  const list = htmlElement("dl");
  for (const [key, meaning] of KEY_HELP) list.append(htmlElement("dt", "", key), htmlElement("dd", "", meaning));
  const close = htmlElement("button", "tool", "Close");
  close.type = "button";
  close.onclick = () => help.close();
  help.append(htmlElement("h2", "", "Keys, while the tree has the focus"), list, close);
  const work = htmlElement("div", "work");
  work.append(prompt, keys, fields.box);
  parts.stage.after(said, work);
  parts.root.append(faults, help);
  parts.said.parentElement.hidden = true; // its line is the prompt here
  Object.assign(parts, { problem: said, prompt, choices: keys, fields, faults, help });
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
  for (const [name, input] of Object.entries(inputs)) {
    input.spellcheck = false;
    input.dir = "auto";
    input.onchange = () => act(view, name, input.value);
    input.onkeydown = (event) => {
      event.stopPropagation();
      if (event.key === "Escape") input.value = view.columns[name][view.current];
      if (event.key === "Escape" || event.key === "Enter") moveTo(view, view.current);
    };
  }
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
  fillOptions(relation, named([["root"], ...data.relations]), columns.deprels[current]);
  fillOptions(upos, named(data.upos), columns.upos[current]);
  for (const [name, input] of Object.entries(inputs)) {
    if (input !== view.parts.root.getRootNode().activeElement) input.value = columns[name][current];
  }
}

function promptText(view) {
  const { data, mode, current, columns } = view;
  const name = `${current} ${isolated(data.words[current])}`;
  if (mode === "head") {
    const offered = view.candidate === null ? "" : ` · Enter: ${wordName(view.drawing, view.candidate)}`;
    const typed = view.typed ? ` ${view.typed}…` : "";
    return `Head of ${name}?${typed} Press the key under it, 0 for the root${offered} · ← → choose · Space skips · Esc ends`;
  }
  if (mode === "relation") {
    return `${name} under ${wordName(view.drawing, view.head)}: its relation? Enter: ${view.guess} · Esc back`;
  }
  if (mode === "upos") return `UPOS of ${name}? · Esc back`;
  const bare = columns.heads.filter((head, m) => m > 0 && head < 0).length;
  if (view.headsFirst && !bare) return "Every word has a head. Enter: done, and on to the next sentence · ← → to look again";
  const counted = bare ? `${bare} ${bare === 1 ? "word" : "words"} without head · ` : "";
  const offers = data.versions.length > 1 ? "1 or 2 takes a version for the word · e next difference · " : "";
  return `${offers}${counted}g heads first · h head · r relation · u UPOS · Enter done, next · ? all keys`;
}

function showChoices(view) {
  const { parts, data, mode } = view;
  const pairs = mode === "relation" ? data.relations : mode === "upos" ? data.upos : [];
  parts.choices.hidden = !pairs.length;
  parts.fields.box.hidden = Boolean(pairs.length);
  parts.choices.setAttribute("aria-label", mode === "upos" ? "Tags" : "Relations");
  if (parts.choices.dataset.mode === mode + data.id && parts.choices.dataset.guess === view.guess) return;
  Object.assign(parts.choices.dataset, { mode: mode + data.id, guess: view.guess });
  parts.choices.replaceChildren(...pairs.map(([value, key]) => {
    const button = htmlElement("button", value === view.guess && mode === "relation" ? "choice guess" : "choice");
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
  const { parts, layout, metrics, data } = view;
  let group = parts.svg.querySelector("g.hints");
  if (!group) {
    group = svgElement("g", { class: "hints", "aria-hidden": "true" });
    parts.svg.append(group);
  }
  group.replaceChildren();
  const keys = wordKeys(data.words.length - 1);
  const isAsked = view.mode === "head";
  for (let m = 1; m < data.words.length; m++) {
    const said = wordDescription(view, m);
    view.wordNodes[m].group.setAttribute("aria-label", isAsked && m !== view.current ? `${said}, key ${keys[m]}` : said);
  }
  if (!isAsked) return;
  const depth = metrics.word * 0.35 + underWords(view.drawing, metrics) + 11;
  for (let m = 1; m < data.words.length; m++) {
    if (m === view.current) continue;
    const row = layout.rows.find((one) => one.start <= m && m < one.end);
    const isLeft = view.typed && !keys[m].startsWith(view.typed);
    const place = { x: layout.x[m].toFixed(1), y: (row.y + depth).toFixed(1) };
    group.append(svgElement("text", { ...place, class: isLeft ? "hint out" : "hint", "text-anchor": "middle" }, keys[m]));
  }
}
