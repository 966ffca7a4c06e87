// Where everything in a drawing of a tree goes: words are measured by the browser.
// tests/draw/tree_layout.py is its reference, with the same names and numbers; a browser test compares the two.

const COMFORTABLE = {
  word: 18, tag: 10.5, label: 11, step: 18, lead: 9, gap: 16, port: 7, margin: 12, rowGap: 26, gutter: 132,
};
const COMPACT = {
  word: 15, tag: 9, label: 9.5, step: 15, lead: 7, gap: 9, port: 5, margin: 12, rowGap: 20, gutter: 112,
};

const LONG = 40; // more words than this are always set in compact sizes

function shareGround(first, second) {
  const left = Math.max(first[0], second[0]);
  const right = Math.min(first[1], second[1]);
  const isPoint = first[0] === first[1] || second[0] === second[1];
  return isPoint ? left <= right : left < right;
}

function compareLists(first, second) {
  for (let i = 0; i < first.length; i++) if (first[i] !== second[i]) return first[i] - second[i];
  return 0;
}

// Heights of arcs in steps from 1: over those nested in them, never level with one that overlaps. Pairs are
// [head, modifier]; head 0 is the root, whose arrow stands over every arc that touches its word.
function pairLevels(pairs) {
  const spans = pairs.map(([head, modifier]) =>
    head === 0 ? [modifier, modifier] : [Math.min(head, modifier), Math.max(head, modifier)]);
  const levels = spans.map(() => 0);
  const keys = spans.map(([left, right], i) => [left === right ? 1 : 0, right - left, left, right, i]);
  const placed = [];
  for (const [, , left, right, i] of [...keys].sort(compareLists)) {
    const over = placed.filter((j) => shareGround(spans[j], spans[i]));
    const nested = over.filter((j) => left === right || (left <= spans[j][0] && spans[j][1] <= right));
    const taken = new Set(over.map((j) => levels[j]));
    let level = 1 + Math.max(0, ...nested.map((j) => levels[j]));
    while (taken.has(level)) level += 1;
    levels[i] = level;
    placed.push(i);
  }
  return levels;
}

// 0 for the bar next to the words, 1 for the one under it.
function spanLevels(spans) {
  const levels = spans.map(() => 0);
  const order = spans.map((span, i) => [span.end - span.start, span.start, i]).sort(compareLists).map((key) => key[2]);
  order.forEach((i, rank) => {
    const over = order.slice(0, rank).filter((j) => spans[j].start < spans[i].end && spans[i].start < spans[j].end);
    levels[i] = 1 + Math.max(-1, ...over.map((j) => levels[j]));
  });
  return levels;
}

const ROW_COST = 3; // arcs that may cross from row to row to save a row

// First word (from 0) of each row: few rows, few arcs from row to row, little empty space.
function breakRows(edges, crossings, limit) {
  const n = edges.length;
  const best = [[0, 0], ...edges.map(() => [Infinity, 0])];
  for (let end = 1; end <= n; end++) {
    for (let start = end - 1; start >= 0; start--) {
      const width = edges[end - 1][1] - edges[start][0];
      if (width > limit && start < end - 1) break;
      const row = ROW_COST + (1 - Math.min(width / limit, 1)) ** 2;
      const cost = best[start][0] + (end < n ? crossings[end - 1] : 0) + row;
      if (cost < best[end][0]) best[end] = [cost, start];
    }
  }
  const starts = [];
  for (let end = n; end > 0; starts.unshift(end)) end = best[end][1];
  return starts;
}

function wordPositions(drawing, widths, needs, metrics, start, end) {
  const meeting = new Map();
  const count = (word, below) => `${word}:${below}`;
  for (const arc of drawing.arcs) {
    for (const word of new Set([arc.head || arc.modifier, arc.modifier])) {
      meeting.set(count(word, arc.below), (meeting.get(count(word, arc.below)) || 0) + 1);
    }
  }
  const incoming = new Map();
  drawing.arcs.forEach((arc, i) => {
    const [left, right] = [Math.min(arc.head, arc.modifier), Math.max(arc.head, arc.modifier)];
    if (left < start || right >= end) return;
    const feet = meeting.get(count(left, arc.below)) + meeting.get(count(right, arc.below)) - 2;
    if (!incoming.has(right)) incoming.set(right, []);
    incoming.get(right).push([left, needs[i] + (feet * metrics.port) / 2]);
  });
  const x = [];
  for (let word = start; word < end; word++) {
    let place = widths[word] / 2;
    if (word > start) place = x[x.length - 1] + (widths[word - 1] + widths[word]) / 2 + metrics.gap;
    for (const [left, need] of incoming.get(word) || []) place = Math.max(place, x[left - start] + need);
    x.push(place);
  }
  return x;
}

function captionOf(drawing, arc, openLeft, openRight) {
  if (!openLeft && !openRight) return "";
  const other = openLeft ? Math.min(arc.head, arc.modifier) : Math.max(arc.head, arc.modifier);
  const letters = [...drawing.words[other]];
  const word = letters.length <= 12 ? drawing.words[other] : letters.slice(0, 11).join("") + "…";
  return arc.label ? `${arc.label} · ${word}` : word;
}

function guttersOf(drawing, bounds, metrics, measure) {
  const rowOf = (word) => bounds.findIndex((start, row) => start <= word && word < bounds[row + 1]);
  const cut = drawing.arcs.filter((arc) => arc.head && rowOf(arc.head) !== rowOf(arc.modifier));
  return [true, false].map((isLeft) => {
    const widths = cut.map((arc) => measure(captionOf(drawing, arc, isLeft, !isLeft), "label") + 14);
    return Math.min(metrics.gutter, Math.max(0, ...widths));
  });
}

// First word of each row, and one past the last: broken for the widest gutters, then for those in fact needed.
function boundsOf(drawing, edges, metrics, width, measure) {
  const crossings = edges.map((_, i) => drawing.arcs.filter((arc) => arc.head
    && Math.min(arc.head, arc.modifier) <= i + 1 && i + 1 < Math.max(arc.head, arc.modifier)).length);
  const room = width - 2 * metrics.margin;
  const broken = (gutters) =>
    [...breakRows(edges, crossings, Math.max(room - gutters, 160)).map((start) => start + 1), edges.length + 1];
  const needs = (bounds) => guttersOf(drawing, bounds, metrics, measure).reduce((sum, gutter) => sum + gutter);
  const first = broken(2 * metrics.gutter);
  const needed = needs(first);
  const second = broken(needed);
  return needs(second) <= needed ? second : first;
}

// Each part of an arc in one row; left and right in words, halves at row ends.
function cutArcs(drawing, bounds) {
  const pieces = [];
  drawing.arcs.forEach((arc, number) => {
    const left = arc.head === 0 ? arc.modifier : Math.min(arc.head, arc.modifier);
    const right = Math.max(arc.head, arc.modifier);
    for (let row = 0; row + 1 < bounds.length; row++) {
      const [start, end] = [bounds[row], bounds[row + 1]];
      if ((start <= left && left < end) || (start <= right && right < end)) {
        pieces.push({ number, row, left: Math.max(left, start - 0.5), right: Math.min(right, end - 0.5), below: arc.below });
      }
    }
  });
  for (let row = 0; row + 1 < bounds.length; row++) {
    for (const below of [false, true]) {
      const here = pieces.filter((piece) => piece.row === row && piece.below === below);
      const levels = pairLevels(here.map((p) => (p.left === p.right ? [0, p.left] : [p.left, p.right])));
      here.forEach((piece, i) => { piece.level = levels[i]; });
    }
  }
  return pieces;
}

// Height of what stands under the words: their tags and, where a drawing has ``lines``, glosses and the like.
function underWords(drawing, metrics) {
  return ((drawing.tags.some(Boolean) ? 1 : 0) + (drawing.lines || []).length) * metrics.tag * 1.5;
}

function stackRows(drawing, metrics, bounds, pieces) {
  const rows = [];
  let top = metrics.margin;
  const tagLine = underWords(drawing, metrics);
  const bars = 1 + Math.max(-1, ...spanLevels(drawing.spans));
  for (let row = 0; row + 1 < bounds.length; row++) {
    const highest = (below) =>
      Math.max(0, ...pieces.filter((p) => p.row === row && p.below === below).map((p) => p.level));
    const [above, below] = [highest(false), highest(true)];
    const y = top + (above ? metrics.lead + above * metrics.step + metrics.label : 0) + metrics.word;
    const depth = metrics.word * 0.35 + tagLine + bars * metrics.label * 1.6;
    const bottom = y + depth + (below ? metrics.lead + below * metrics.step + metrics.label : 0);
    rows.push({ start: bounds[row], end: bounds[row + 1], y, top, bottom, above, below });
    top = bottom + metrics.rowGap;
  }
  return rows;
}

// Arcs that meet at a word stand side by side, the longest innermost.
function placeFeet(pieces, metrics, x, widths) {
  const ports = new Map();
  const add = (word, below, key) => {
    const place = `${word}:${below}`;
    if (!ports.has(place)) ports.set(place, { word, keys: [] });
    ports.get(place).keys.push(key);
  };
  pieces.forEach((p, i) => {
    if (p.left === p.right) add(p.left, p.below, [1, 0, 0, i]);
    else {
      if (Number.isInteger(p.right)) add(p.right, p.below, [0, p.right - p.left, p.level, i]);
      if (Number.isInteger(p.left)) add(p.left, p.below, [2, p.left - p.right, -p.level, i]);
    }
  });
  for (const { word, keys } of ports.values()) {
    const port = Math.min(metrics.port, (widths[word] + metrics.gap / 2) / keys.length);
    keys.sort(compareLists).forEach(([group, , , i], rank) => {
      const at = x[word] + (rank - (keys.length - 1) / 2) * port;
      if (group !== 0) pieces[i].x1 = at;
      if (group !== 2) pieces[i].x2 = at;
    });
  }
}

// measure(text, "word" | "tag" | "label") -> pixels. Returns {width, height, x, rows, segments}.
function layOut(drawing, metrics, width, labels, measure) {
  const n = drawing.words.length - 1;
  const widths = drawing.words.map((word, m) =>
    m === 0 ? 0 : Math.max(measure(word, "word"), 1.1 * measure(drawing.tags[m], "tag"),
      ...(drawing.lines || []).map((line) => 1.1 * measure(line.values[m], "tag"))));
  const needs = drawing.arcs.map((arc) => (labels && arc.label ? measure(arc.label, "label") + 16 : 16));
  const line = wordPositions(drawing, widths, needs, metrics, 1, n + 1);
  const edges = line.map((at, i) => [at - widths[i + 1] / 2, at + widths[i + 1] / 2]);
  const isWide = width !== null && edges[n - 1][1] + 2 * metrics.margin > width;
  const bounds = isWide ? boundsOf(drawing, edges, metrics, width, measure) : [1, n + 1];
  const gutters = guttersOf(drawing, bounds, metrics, measure);
  const inset = metrics.margin + gutters[0];
  const x = [0];
  for (let row = 0; row + 1 < bounds.length; row++) {
    x.push(...wordPositions(drawing, widths, needs, metrics, bounds[row], bounds[row + 1]).map((at) => at + inset));
  }
  const total = Math.max(...bounds.slice(1).map((end) => x[end - 1] + widths[end - 1] / 2))
    + metrics.margin + gutters[1];
  const pieces = cutArcs(drawing, bounds);
  const rows = stackRows(drawing, metrics, bounds, pieces);
  placeFeet(pieces, metrics, x, widths);
  const segments = pieces.map((p) => placeSegment(drawing, metrics, rows, p, x, widths, inset));
  const height = rows[rows.length - 1].bottom + metrics.margin;
  const layout = { width: total, height, x, widths, rows, segments };
  return drawing.rtl ? mirrored(layout) : layout;
}

// The layout in comfortable sizes, or in compact ones where they take fewer rows or the sentence is long.
function layOutBest(drawing, width, labels, measurerOf) {
  const place = (metrics) => ({ metrics, layout: layOut(drawing, metrics, width, labels, measurerOf(metrics)) });
  const comfortable = place(COMFORTABLE);
  if (comfortable.layout.rows.length === 1 && drawing.words.length <= LONG) return comfortable;
  const compact = place(COMPACT);
  const isFewer = compact.layout.rows.length < comfortable.layout.rows.length;
  return isFewer || drawing.words.length > LONG ? compact : comfortable;
}

function placeSegment(drawing, metrics, rows, piece, x, widths, inset) {
  const arc = drawing.arcs[piece.number];
  const row = rows[piece.row];
  const openLeft = !Number.isInteger(piece.left);
  const openRight = !Number.isInteger(piece.right);
  const caption = captionOf(drawing, arc, openLeft, openRight);
  const rise = metrics.lead + piece.level * metrics.step;
  const floor = piece.below
    ? row.bottom - (metrics.lead + row.below * metrics.step + metrics.label)
    : row.y - metrics.word;
  return {
    arc: piece.number,
    row: piece.row,
    x1: openLeft ? inset - 8 : piece.x1,
    x2: openRight ? x[row.end - 1] + widths[row.end - 1] / 2 + 8 : piece.x2,
    level: piece.level,
    below: piece.below,
    openLeft,
    openRight,
    tip: arc.modifier === piece.left ? "left" : arc.modifier === piece.right ? "right" : "",
    captionLeft: openLeft ? caption : "",
    captionRight: openRight ? caption : "",
    floor,
    ceiling: piece.below ? floor + rise : floor - rise,
  };
}

// The same layout for a script written from right to left.
function mirrored(layout) {
  const flip = { left: "right", right: "left", "": "" };
  const segments = layout.segments.map((s) => ({
    ...s,
    x1: layout.width - s.x2,
    x2: layout.width - s.x1,
    openLeft: s.openRight,
    openRight: s.openLeft,
    tip: flip[s.tip],
    captionLeft: s.captionRight,
    captionRight: s.captionLeft,
  }));
  return { ...layout, x: layout.x.map((at, m) => (m === 0 ? 0 : layout.width - at)), segments };
}

// SVG path of a segment from its feet on the floor to its ceiling.
function archPath(segment, metrics) {
  const { x1, x2, floor, ceiling, openLeft, openRight } = segment;
  const f = (number) => number.toFixed(1);
  if (Math.abs(x2 - x1) < 0.05) return `M${f(x1)},${f(ceiling)}V${f(floor)}`;
  const feet = 2 - openLeft - openRight;
  const turn = Math.min(metrics.step * 1.35, Math.abs(floor - ceiling), Math.abs(x2 - x1) / Math.max(feet, 1));
  const bend = ceiling + (floor > ceiling ? turn : -turn);
  let path = `M${f(x1)},${f(ceiling)}`;
  if (!openLeft) path = `M${f(x1)},${f(floor)}V${f(bend)}Q${f(x1)},${f(ceiling)} ${f(x1 + turn)},${f(ceiling)}`;
  if (openRight) return `${path}H${f(x2)}`;
  return `${path}H${f(x2 - turn)}Q${f(x2)},${f(ceiling)} ${f(x2)},${f(bend)}V${f(floor)}`;
}
