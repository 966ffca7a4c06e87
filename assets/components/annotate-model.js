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
  view.columns = applyToAll(view.columns, whole);
  view.send("steps", { view: view.name, queue: view.queue });
}

// What Python said, with the parser's tree of a rank in place of its best one, which has rank 0.
function ranked(data, rank) {
  if (!rank) return data;
  const [best] = data.versions;
  const name = `${best.name}, tree ${rank + 1} of ${data.others.length + 1}`;
  return { ...data, versions: [{ ...best, ...data.others[rank - 1], name }] };
}

// Remembers the words whose proposed head is another one than before, unless they have it in this tree.
function markTurned(view, before, after) {
  const [from, to] = before.length === 1 && after.length === 1 ? [before[0].heads, after[0].heads] : [[], []];
  const isTurned = (head, m) => from[m] >= 0 && from[m] !== head && view.columns.heads[m] !== head;
  view.turned = to.map((head, m) => (isTurned(head, m) ? m : 0)).filter(Boolean);
  view.turns += 1;
}

// Takes a proposal: of the same trees as before the one stays that was looked at.
function showProposal(view, data, former) {
  const text = JSON.stringify([data.versions, data.others]);
  const isSame = former && text === view.proposed;
  Object.assign(view, { offered: data, proposed: text, rank: isSame ? view.rank : 0 });
  view.data = ranked(data, view.rank);
  if (!isSame) markTurned(view, former ? former.versions : [], data.versions);
  return !isSame && view.turned.length > 0;
}

// Takes what Python says; returns whether it is another sentence than before, and whether it has other words.
function receive(view, data) {
  const isOther = !view.data || placeOf(view.data) !== placeOf(data);
  const hasOtherWords = !isOther && view.data.words.join("\t") !== data.words.join("\t");
  const answered = new Set(data.seen);
  const step = view.queue.find((one) => one.id === data.refused?.[0]); // that was refused
  view.queue = view.queue.filter((one) => !answered.has(one.id));
  if (step) {
    if (step.do === "change") keepTyped(view, step, data.refused[1]);
    view.queue = view.queue.filter((one) => one.do === "go"); // what came after it was meant for another tree
    view.waiting = [];
  }
  view.emptyNodes = data.graph.empty;
  const here = view.queue.filter((one) => `${one.corpus}/${one.sentence}/${one.layer}` === placeOf(data));
  view.columns = here.reduce(applyToAll, { ...data.columns, graph: data.graph.fields });
  if (here.some((one) => one.do === "no graph")) view.emptyNodes = [];
  view.hasTurned = showProposal(view, data, isOther || hasOtherWords ? null : view.data);
  view.problem = step ? data.refused[1] : view.queue.length ? view.problem : "";
  return { isOther, hasOtherWords };
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

// Whether a word has another head or relation than in the file, which gives it a head.
function isCorrected({ data, columns }, m) {
  const { heads, deprels } = data.original;
  return heads[m] >= 0 && (heads[m] !== columns.heads[m] || deprels[m] !== columns.deprels[m]);
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
    if (columns.heads[m] >= 0) arcs.push(arc(columns.heads[m], m, columns.deprels[m], isCorrected(view, m) ? "changed" : "gold"));
  }
  const corrected = arcs.some((one) => one.kind === "changed") ? [["changed", "7 4", "corrected"]] : [];
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
  const others = [...corrected, ...named.map((name, i) => [VERSION_KINDS[i], dashes[i], name])];
  const legend = others.length ? [["gold", "", "this tree"], ...others] : [];
  const meanings = [["gold", ""], ["changed", "corrected"], ...named.map((name, i) => [VERSION_KINDS[i], `in ${name}`])];
  const drawing = {
    id: data.id, words: data.words, tags, arcs, spans: [], above: "", below: "", name: data.name,
    rtl: view.rtl ?? data.rtl, legend, meanings, lines: [...(data.lines || []), ...glossLines(view)], tikz: data.tikz, palettes: data.palettes,
  };
  return view.options?.graph ? addGraph(view, drawing) : drawing;
}
