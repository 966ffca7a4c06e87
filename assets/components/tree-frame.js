// What stands around the drawing and what is said about it: toolbar, legend, table, names for screen readers.
// Everything that comes from a corpus enters as textContent or attribute, never as markup.

const SVG = "http://www.w3.org/2000/svg";

function svgElement(tag, attributes = {}, text = null) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  if (text !== null) element.textContent = text;
  return element;
}

function htmlElement(tag, className = "", text = null) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== null) element.textContent = text;
  return element;
}

// ---- what is said -------------------------------------------------------------------------------------------------

const MEANING = {
  supported: "supported by a constraint", changed: "changed", candidate: "another candidate", former: "before the change",
};

// What a kind of arc means here: the drawing may say it otherwise than usual.
function meaningOf(drawing, kind) {
  return Object.fromEntries(drawing.meanings || [])[kind] || MEANING[kind] || "";
}

function posteriorText(posterior) {
  return posterior === null ? "" : posterior.toFixed(2).replace(/^0/, "");
}

function wordName(drawing, m) {
  if (drawing.last && m > drawing.last) return isolated(drawing.words[m]); // an empty node, which has its number in its name
  return m === 0 ? "0 root" : m < 0 ? "none" : `${m} ${isolated(drawing.words[m])}`;
}

// A word for a line of the interface, kept apart where it is written from right to left, as core/direction.py does.
function isolated(word) {
  return /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(word) ? `\u2068${word}\u2069` : word;
}

function arcDetails(drawing, arc) {
  return [
    `head ${wordName(drawing, arc.head)}`,
    arc.label && !(arc.head === 0 && arc.label === "root") ? arc.label : "",
    arc.disagrees ? "differs" : "",
    meaningOf(drawing, arc.kind),
    arc.posterior === null ? "" : `posterior ${posteriorText(arc.posterior)}`,
    arc.note,
  ].filter(Boolean).join(", ");
}

// "2 likes VERB, head 0 root, posterior .93"; with two analyses each is named. Other arcs of the word, such as those
// of a proposal, come last.
function wordDescription(view, m) {
  const { drawing } = view;
  const start = [wordName(drawing, m), drawing.tags[m]].filter(Boolean).join(" ");
  const own = drawing.arcs.filter((arc) => arc.modifier === m);
  const arcs = own.filter(isMain);
  const name = (arc) => (drawing.below ? `${arc.below ? drawing.below : drawing.above}: ` : "");
  const details = (arc) => name(arc) + arcDetails(drawing, arc);
  const others = own.filter((arc) => !isMain(arc)).map((arc) => `; ${details(arc)}`);
  return [start, ...(arcs.length ? arcs.map(details) : ["no head"])].join(", ") + others.join("");
}

function isMain(arc) {
  return arc.kind !== "candidate" && arc.kind !== "former";
}

function mainArc(drawing, m) {
  const own = drawing.arcs.filter((arc) => arc.modifier === m && isMain(arc));
  return own.find((arc) => !arc.below) || own[0] || null;
}

function depthOf(drawing, m) {
  let depth = 1;
  for (let arc = mainArc(drawing, m); arc && arc.head > 0 && depth <= drawing.words.length; depth++) {
    arc = mainArc(drawing, arc.head);
  }
  return depth;
}

function announce(view, text) {
  view.parts.live.textContent = text;
}

// ---- the frame around the drawing ---------------------------------------------------------------------------------

const KEYS = "← → words · Home End first, last · ↑ head · ↓ dependent · Enter selects · Shift+Enter its arc · Esc clears";

function buildFrame(parent) {
  const root = htmlElement("div", "tree");
  const bar = htmlElement("div", "toolbar");
  const legend = htmlElement("ul", "legend");
  const tools = htmlElement("div", "tools");
  const toggle = (text, title) => {
    const button = htmlElement("button", "tool", text);
    button.type = "button";
    button.title = title;
    tools.append(button);
    return button;
  };
  const labels = toggle("Relations", "Write the relation on every arc");
  const rows = toggle("Rows", "Break a long sentence into rows, or keep it on one line");
  const table = toggle("Table", "The same as a table");
  const { menu, shade, buttons } = buildMenu();
  tools.append(menu);
  bar.append(legend, tools);
  const stage = htmlElement("div", "stage");
  const svg = svgElement("svg", { role: "tree" });
  svg.append(svgElement("g", { class: "bars", "aria-hidden": "true" }));
  for (const layer of ["arcs", "captions"]) svg.append(svgElement("g", { class: layer, "aria-hidden": "true" }));
  svg.append(svgElement("g", { class: "words", role: "none" }));
  stage.append(svg);
  const status = htmlElement("div", "status");
  const said = htmlElement("span");
  const keys = htmlElement("span", "keys", KEYS);
  keys.hidden = true;
  status.append(said, keys);
  svg.append(svgElement("desc", {}, KEYS));
  const live = htmlElement("div", "live");
  live.setAttribute("aria-live", "polite");
  const tableBox = htmlElement("div", "table-box");
  tableBox.hidden = true;
  root.append(bar, stage, status, tableBox, live);
  parent.append(root);
  return { root, bar, legend, tools, labels, rows, table, menu, shade, buttons, stage, svg, said, keys, live, tableBox };
}

function buildMenu() {
  const menu = htmlElement("details", "menu");
  menu.append(htmlElement("summary", "tool", "Save"));
  const sheet = htmlElement("div", "sheet");
  const line = htmlElement("label", "", "Colours ");
  const shade = htmlElement("select");
  for (const [value, text] of [["shown", "as shown"], ["light", "light"], ["dark", "dark"], ["grey", "greyscale"]]) {
    const option = htmlElement("option", "", text);
    option.value = value;
    shade.append(option);
  }
  line.append(shade);
  sheet.append(line);
  const buttons = {};
  for (const [format, text] of [["svg", "Save as SVG"], ["png", "Save as PNG"], ["tex", "Save as TikZ"]]) {
    buttons[format] = htmlElement("button", "", text);
    buttons[format].type = "button";
    sheet.append(buttons[format]);
  }
  menu.append(sheet);
  return { menu, shade, buttons };
}

function fillLegend(view) {
  const { legend } = view.parts;
  legend.replaceChildren();
  for (const [kind, dash, text] of view.drawing.legend) {
    const item = htmlElement("li");
    item.dataset.kind = kind;
    const swatch = svgElement("svg", { width: 24, height: 8, "aria-hidden": "true" });
    const line = svgElement("path", { d: "M0,4H24", "stroke-width": 2, class: "line" });
    if (dash) line.setAttribute("stroke-dasharray", dash);
    swatch.append(line);
    item.append(swatch, htmlElement("span", "", text));
    legend.append(item);
  }
  if (view.drawing.arcs.some((arc) => arc.posterior !== null)) {
    legend.append(htmlElement("li", "hint", "thicker: more probable"));
  }
}

function fillTable(view) {
  const { drawing, parts } = view;
  const two = Boolean(drawing.below);
  const sides = two ? [[false, drawing.above], [true, drawing.below]] : [[false, ""]];
  const table = htmlElement("table");
  table.append(htmlElement("caption", "", `${drawing.name || "Sentence"}: ${drawing.words.slice(1).join(" ")}`));
  const header = table.createTHead().insertRow();
  const names = ["#", "Word", "Tag"];
  for (const [, name] of sides) {
    names.push(...["Head", "Relation", "Posterior"].map((column) => (name ? `${column}, ${name}` : column)));
  }
  for (const name of [...names, "Notes"]) {
    const cell = htmlElement("th", "", name);
    cell.scope = "col";
    header.append(cell);
  }
  const body = table.createTBody();
  for (let m = 1; m < drawing.words.length; m++) {
    const row = body.insertRow();
    row.dataset.word = m;
    const cells = [m, drawing.words[m], drawing.tags[m]];
    const own = drawing.arcs.filter((arc) => arc.modifier === m);
    for (const [below] of sides) {
      const arcs = own.filter((one) => isMain(one) && one.below === below);
      const columns = [(arc) => wordName(drawing, arc.head), (arc) => arc.label, (arc) => posteriorText(arc.posterior)];
      cells.push(...columns.map((column) => arcs.map(column).filter(Boolean).join("; ")));
    }
    const notes = own.map((arc) => [
      isMain(arc) ? "" : `${meaningOf(drawing, arc.kind)}: ${wordName(drawing, arc.head)} ${posteriorText(arc.posterior)}`.trim(),
      isMain(arc) && meaningOf(drawing, arc.kind), arc.disagrees && "heads differ", arc.note,
    ].filter(Boolean).join(", ")).filter(Boolean);
    for (const text of [...cells, notes.join("; ")]) row.insertCell().textContent = text;
    Object.assign(row.cells[1], { className: "serif", dir: "auto" });
  }
  parts.tableBox.replaceChildren(table);
}
