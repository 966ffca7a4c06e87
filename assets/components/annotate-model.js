// A sentence under annotation in the browser: what Python last said, and the steps not answered yet on top of it.
// ``applyStep`` is the twin of core/annotation/edits.py: the same changes bring the same others with them.

const LOOSE = "dep";
const instances = new WeakMap(); // the component's root -> its view, across reruns

function pathUp(heads, word) {
  const path = [];
  for (let at = word; at > 0 && !path.includes(at); at = heads[at]) path.push(at);
  return path;
}

function attachWord(columns, word, head, relation) {
  const heads = [...columns.heads];
  const deprels = [...columns.deprels];
  if (head === 0) {
    heads.forEach((old, other) => {
      if (other > 0 && old === 0 && other !== word) [heads[other], deprels[other]] = [word, LOOSE];
    });
  } else if (pathUp(heads, head).includes(word)) {
    [heads[head], deprels[head]] = [heads[word], deprels[word]];
  }
  const own = columns.deprels[word];
  heads[word] = head;
  deprels[word] = head === 0 ? "root" : relation ?? (own === "" || own === "root" ? LOOSE : own);
  return { ...columns, heads, deprels };
}

function withValue(columns, name, word, value) {
  const values = [...columns[name]];
  values[word] = value;
  return { ...columns, [name]: values };
}

function applyStep(columns, step) {
  if (step.do === "attach") {
    const tags = Object.entries(step.tags || {});
    const attached = attachWord(columns, step.word, step.head, step.relation);
    return tags.reduce((before, [name, value]) => withValue(before, name, step.word, value), attached);
  }
  if (step.do === "detach") return withValue(withValue(columns, "heads", step.word, -1), "deprels", step.word, "");
  if (step.do === "change") return withValue(columns, step.column, step.word, step.value);
  if (step.do !== "adopt") return columns;
  const taken = { ...columns };
  for (const [name, values] of Object.entries(step.values)) taken[name] = [name === "heads" ? -1 : "", ...values];
  return taken;
}

// ---- steps on their way -------------------------------------------------------------------------------------------

function placeOf(data) {
  return `${data.corpus}/${data.sentence}/${data.layer}`;
}

// Shows a step at once and sends it; everything unanswered is sent again with it, so that nothing can get lost.
function push(view, step) {
  const { data } = view;
  view.count += 1;
  const whole = {
    ...step, id: `${view.name}-${view.count}`, corpus: data.corpus, sentence: data.sentence, layer: data.layer,
    was: data.revision, after: view.last.get(placeOf(data)) ?? null,
  };
  view.last.set(placeOf(data), whole.id);
  view.queue.push(whole);
  view.columns = applyStep(view.columns, whole);
  view.send("steps", { view: view.name, queue: view.queue });
}

// Takes what Python says; returns whether it is another sentence than before.
function receive(view, data) {
  const isOther = !view.data || placeOf(view.data) !== placeOf(data);
  const answered = new Set(data.seen);
  const refused = view.queue.some((step) => step.id === data.refused?.[0]) ? data.refused : null;
  view.queue = view.queue.filter((step) => !answered.has(step.id));
  if (refused) {
    view.queue = view.queue.filter((step) => step.do === "go"); // what came after it was meant for another tree
  }
  view.data = data;
  const here = view.queue.filter((step) => `${step.corpus}/${step.sentence}/${step.layer}` === placeOf(data));
  view.columns = here.reduce(applyStep, data.columns);
  view.problem = refused ? refused[1] : view.queue.length ? view.problem : "";
  return isOther;
}

// ---- what the keys stand for --------------------------------------------------------------------------------------

const LETTERS = "abcdefghijklmnopqrstuvwxyz";

// A key for each word, from 1: one letter where they suffice; else the last letters of the alphabet begin pairs.
function wordKeys(n) {
  let pairs = 0;
  while (LETTERS.length - pairs + pairs * LETTERS.length < n && pairs < LETTERS.length) pairs += 1;
  const single = [...LETTERS].slice(0, LETTERS.length - pairs);
  const double = [...LETTERS].reverse().slice(0, pairs).flatMap((first) => [...LETTERS].map((second) => first + second));
  return ["0", ...single, ...double].slice(0, n + 1);
}

// The relation that an arc most likely has: the proposal's, else the usual one between such tags.
function guessRelation(view, word, head) {
  const { data, columns } = view;
  const said = data.versions.find((version) => version.heads[word] === head && version.deprels[word]);
  if (said) return said.deprels[word];
  if (columns.heads[word] === head && columns.deprels[word]) return columns.deprels[word];
  const side = head < word ? "left" : "right";
  return data.guesses[`${columns.upos[word]} ${columns.upos[head]} ${side}`] || LOOSE;
}

// A word's tag with a proposal beside it, which fills what is missing or X: nothing is known of the word.
function filledTag(columns, proposal, name, word) {
  const own = columns[name][word];
  return own && own !== "X" ? own : proposal[name][word] || own;
}

function firstBare(view, from = 1) {
  const n = view.columns.heads.length - 1;
  for (let step = 0; step < n; step++) {
    const word = ((from - 1 + step) % n) + 1;
    if (view.columns.heads[word] < 0) return word;
  }
  return 0;
}

const VERSION_KINDS = ["candidate", "former"];

// The drawing of the tree as it stands here, with proposals dotted where they say something else.
function drawingOf(view) {
  const { data, columns } = view;
  const arcs = [];
  const arc = (head, modifier, label, kind) => ({
    head, modifier, label, kind, posterior: null, note: "", below: false, disagrees: false, agrees: false,
  });
  for (let m = 1; m < columns.heads.length; m++) {
    if (columns.heads[m] >= 0) arcs.push(arc(columns.heads[m], m, columns.deprels[m], "gold"));
  }
  const numbered = data.versions.length > 1;
  data.versions.forEach((version, i) => {
    for (let m = 1; m < columns.heads.length; m++) {
      const [head, label] = [version.heads[m], version.deprels[m]];
      if (head < 0 || (head === columns.heads[m] && (!label || label === columns.deprels[m]))) continue;
      const same = data.versions.findIndex((other) => other.heads[m] === head && other.deprels[m] === label);
      if (same === i) arcs.push(arc(head, m, numbered ? `${i + 1} ${label}` : label, VERSION_KINDS[i]));
    }
  });
  const tags = columns.upos.map((tag, m) => tag || columns.xpos[m]);
  const named = data.versions.map((version, i) => (numbered ? `${i + 1} ${version.name}` : version.name));
  const dashes = ["1 4", "2 4"];
  const legend = named.length ? [["gold", "", "this tree"], ...named.map((name, i) => [VERSION_KINDS[i], dashes[i], name])] : [];
  const meanings = [["gold", ""], ...named.map((name, i) => [VERSION_KINDS[i], `in ${name}`])];
  return {
    id: data.id, words: data.words, tags, arcs, spans: [], above: "", below: "", name: data.name,
    rtl: view.rtl ?? data.rtl, legend, meanings, lines: data.lines, tikz: data.tikz, palettes: data.palettes,
  };
}
