// Sentences with their brackets as underlines, one pattern a tag. Text goes in as text only; nothing of a page is run.

const LABELS = { a: "link", b: "bold", i: "italics", u: "underline" };
const SAME = { strong: "b", em: "i" }; // two names of one look
const LANE = 4; // pixels

export default function (component) {
  const { data: [data], parentElement, setStateValue } = component;
  let frame = parentElement.querySelector(".marked");
  if (!frame) {
    frame = node("div", "marked");
    parentElement.append(frame);
  }
  const choose = (sentence, number) => setStateValue("sel", { sentence, number });
  const list = node("ol", "sentences");
  list.setAttribute("aria-label", data.label);
  for (const row of data.rows) list.append(sentenceItem(row, row.sentence === data.chosen, choose));
  const scrolled = frame.querySelector(".sentences")?.scrollTop || 0;
  const keep = frame.dataset.page === data.page;
  const focused = keep && parentElement.getRootNode().activeElement?.dataset?.sentence;
  frame.dataset.page = data.page;
  frame.replaceChildren(legend(data.rows), list);
  if (keep) list.scrollTop = scrolled;
  else if (list.querySelector(".chosen")) list.scrollTop = list.querySelector(".chosen").offsetTop - list.offsetTop;
  if (focused) list.querySelector(`[data-sentence="${Number(focused)}"]`)?.focus();
}

function node(name, className, text = "") {
  const element = document.createElement(name);
  element.className = className;
  element.textContent = text;
  return element;
}

function legend(rows) {
  const tags = new Set(rows.flatMap((row) => row.brackets.flatMap((bracket) => bracket.tag.split("+").map(look))));
  const line = node("p", "legend");
  for (const tag of tags) {
    const sample = node("span", "sample", LABELS[tag] ? `${tag} ${LABELS[tag]}` : tag);
    underline(sample, [{ tag, lane: 0 }]);
    line.append(sample);
  }
  if (rows.some((row) => row.brackets.some((bracket) => bracket.broken))) {
    line.append(node("span", "tag broken", "✗"), node("span", "", "does not hold at this level"));
  }
  return line;
}

function look(tag) {
  return SAME[tag] || tag;
}

function sentenceItem(row, chosen, choose) {
  const item = node("li", chosen ? "sentence chosen" : "sentence");
  item.tabIndex = 0;
  item.dataset.sentence = row.sentence;
  if (chosen) item.setAttribute("aria-current", "true");
  item.append(node("span", "number", String(row.sentence + 1)));
  const text = node("span", "text");
  text.dir = "auto";
  const lanes = inLanes(row.brackets);
  let cluster = null; // words with no space between, and their tags, stay on one line
  row.words.forEach((word, index) => {
    const at = index + 1;
    const here = lanes.filter((bracket) => bracket.start <= at && at < bracket.end);
    const span = node("span", "word", word);
    underline(span, here);
    if (cluster === null) text.append((cluster = node("span", "cluster")));
    cluster.append(span);
    for (const bracket of row.brackets) {
      if (bracket.end === at + 1) cluster.append(label(bracket, row, choose));
    }
    if (row.spaces[index]) {
      const gap = node("span", "gap", " ");
      underline(gap, here.filter((bracket) => at + 1 < bracket.end));
      text.append(gap);
      cluster = null;
    }
  });
  item.append(text);
  item.onclick = () => choose(row.sentence, null);
  item.onkeydown = (event) => {
    const step = { ArrowDown: "nextElementSibling", ArrowUp: "previousElementSibling" }[event.key];
    if (step) item[step]?.focus();
    else if (event.key === "Enter" || event.key === " ") choose(row.sentence, null);
    else return;
    event.preventDefault();
  };
  return item;
}

function label(bracket, row, choose) {
  const words = row.words.slice(bracket.start - 1, bracket.end - 1).join(" ");
  const sign = node("button", bracket.broken ? "tag broken" : "tag", bracket.tag + (bracket.broken ? " ✗" : ""));
  sign.type = "button";
  sign.tabIndex = -1;
  sign.dataset.number = bracket.number;
  sign.setAttribute("aria-label", `${bracket.tag}: ${words}${bracket.broken ? ", broken by the tree" : ""}`);
  sign.onclick = (event) => {
    event.stopPropagation();
    choose(row.sentence, bracket.number);
  };
  return sign;
}

// One entry a bracket and tag name, each on the highest line that is free over all its words.
function inLanes(brackets) {
  const placed = [];
  for (const bracket of brackets) {
    for (const tag of bracket.tag.split("+")) {
      let lane = 0;
      const overlaps = (other) => other.lane === lane && other.start < bracket.end && bracket.start < other.end;
      while (placed.some(overlaps)) lane += 1;
      placed.push({ ...bracket, tag: look(tag), lane });
    }
  }
  return placed;
}

function underline(element, lines) {
  const strokes = {
    a: "linear-gradient(var(--mark-a), var(--mark-a))",
    b: "linear-gradient(var(--mark-b), var(--mark-b))",
    i: "repeating-linear-gradient(90deg, var(--mark-i) 0 7px, transparent 7px 10px)",
    u: "repeating-linear-gradient(90deg, var(--mark-u) 0 2px, transparent 2px 4px)",
  };
  const other = "repeating-linear-gradient(90deg, var(--mark-u) 0 8px, transparent 8px 10px, var(--mark-u) 10px 12px, transparent 12px 14px)";
  element.style.backgroundImage = lines.map((line) => strokes[line.tag] || other).join(",");
  element.style.backgroundPosition = lines.map((line) => `0 calc(1.28em + ${line.lane * LANE}px)`).join(",");
  element.style.backgroundSize = lines.map((line) => `100% ${line.tag === "b" ? 3 : 2}px`).join(",");
}
