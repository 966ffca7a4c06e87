// The drawing itself. Elements are kept from one analysis to the next, so that arcs glide to their new places.

const GLIDE = 550; // milliseconds

function measurer(view, metrics) {
  const context = (view.canvas ||= document.createElement("canvas").getContext("2d"));
  const face = { word: view.fonts.serif, tag: view.fonts.sans, label: view.fonts.sans };
  return (text, role) => {
    context.font = `${metrics[role]}px ${face[role]}`;
    return context.measureText(text).width;
  };
}

function placeAll(view) {
  const room = Math.max(view.parts.stage.clientWidth - 2, 320);
  const width = view.options.rows ? room : null;
  Object.assign(view, layOutBest(view.drawing, width, view.options.labels, (metrics) => measurer(view, metrics)));
  view.fits = view.layout.rows.length === 1 && view.layout.width <= room; // rows or not is no question then
}

// Draws the view; what was drawn before glides to its new place, unless motion is unwelcome or the words are others.
function draw(view, glide) {
  placeAll(view);
  const { parts, layout, drawing } = view;
  parts.svg.setAttribute("width", layout.width.toFixed(0));
  parts.svg.setAttribute("height", layout.height.toFixed(0));
  parts.svg.classList.toggle("rtl", drawing.rtl);
  parts.rows.hidden = view.fits;
  parts.svg.setAttribute("viewBox", `0 0 ${layout.width.toFixed(1)} ${layout.height.toFixed(1)}`);
  parts.svg.setAttribute("aria-label", `Dependency tree of: ${drawing.words.slice(1).join(" ")}`);
  const still = !glide || matchMedia("(prefers-reduced-motion: reduce)").matches;
  const moves = [...drawWords(view), ...drawArcs(view, still)];
  drawBars(view);
  emphasise(view);
  cancelAnimationFrame(view.frame);
  if (still) {
    for (const move of moves) move(1);
    return;
  }
  const begun = performance.now();
  const step = (now) => {
    const t = Math.min(1, Math.max(0, now - begun) / GLIDE);
    const eased = t < 0.5 ? 4 * t ** 3 : 1 - (2 - 2 * t) ** 3 / 2;
    for (const move of moves) move(eased);
    if (t < 1) view.frame = requestAnimationFrame(step);
  };
  step(begun);
}

function between(from, to, t) {
  return from + (to - from) * t;
}

function drawWords(view) {
  const { drawing, layout, metrics } = view;
  const group = view.parts.svg.querySelector("g.words");
  if (view.wordNodes.length !== drawing.words.length) {
    group.replaceChildren();
    view.wordNodes = drawing.words.map((_, m) => (m === 0 ? null : buildWord(group, m)));
  }
  return view.wordNodes.slice(1).map((node, index) => {
    const m = index + 1;
    const row = layout.rows.find((one) => one.start <= m && m < one.end);
    const width = layout.widths[m];
    const lines = drawing.lines || [];
    const depth = metrics.word * 0.35 + (lines.length ? underWords(drawing, metrics) : drawing.tags[m] ? metrics.tag * 1.5 : 0);
    node.word.textContent = drawing.words[m];
    node.word.setAttribute("font-size", metrics.word);
    node.tag.textContent = drawing.tags[m];
    node.tag.setAttribute("font-size", metrics.tag);
    node.tag.setAttribute("y", (metrics.word * 0.35 + metrics.tag).toFixed(1));
    drawLines(node, lines, m, drawing.tags.some(Boolean) ? 1 : 0, metrics);
    const box = { x: -width / 2 - 5, y: -metrics.word, width: width + 10, height: metrics.word + depth + 2, rx: 4 };
    for (const [name, value] of Object.entries(box)) node.ring.setAttribute(name, value.toFixed(1));
    node.group.setAttribute("aria-label", wordDescription(view, m));
    node.group.setAttribute("aria-level", depthOf(drawing, m));
    node.group.setAttribute("aria-posinset", m);
    node.group.setAttribute("aria-setsize", drawing.words.length - 1);
    node.group.setAttribute("tabindex", m === view.current ? 0 : -1);
    const from = node.at || { x: layout.x[m], y: row.y };
    return (t) => {
      node.at = { x: between(from.x, layout.x[m], t), y: between(from.y, row.y, t) };
      node.group.setAttribute("transform", `translate(${node.at.x.toFixed(1)},${node.at.y.toFixed(1)})`);
    };
  });
}

// Glosses and the like, a line each under the tag.
function drawLines(node, lines, m, above, metrics) {
  while (node.lines.length > lines.length) node.lines.pop().remove();
  lines.forEach((line, i) => {
    if (!node.lines[i]) {
      node.lines[i] = svgElement("text", { "data-role": "tag", "text-anchor": "middle" });
      node.group.append(node.lines[i]);
    }
    node.lines[i].textContent = line.values[m];
    node.lines[i].dataset.line = line.name;
    node.lines[i].setAttribute("font-size", metrics.tag);
    node.lines[i].setAttribute("y", (metrics.word * 0.35 + metrics.tag * (1 + 1.5 * (above + i))).toFixed(1));
  });
}

function buildWord(parent, m) {
  const group = svgElement("g", { class: "word", role: "treeitem", "data-word": m });
  const ring = svgElement("rect", { class: "ring" });
  const word = svgElement("text", { "data-role": "word", "text-anchor": "middle" });
  const tag = svgElement("text", { "data-role": "tag", "text-anchor": "middle" });
  group.append(ring, word, tag);
  parent.append(group);
  return { group, ring, word, tag, lines: [], at: null };
}

// An arc keeps its element from one analysis to the next: the same modifier on the same side of the words.
function arcKeys(drawing, segments) {
  const order = drawing.arcs.map((arc, i) => drawing.arcs.slice(0, i)
    .filter((other) => other.modifier === arc.modifier && other.below === arc.below && isMain(other) === isMain(arc)).length);
  const parts = new Map();
  return segments.map((segment) => {
    const arc = drawing.arcs[segment.arc];
    const part = parts.get(segment.arc) || 0;
    parts.set(segment.arc, part + 1);
    return `${arc.below}:${arc.modifier}:${isMain(arc)}:${order[segment.arc]}:${part}`;
  });
}

function drawArcs(view, still) {
  const { drawing, layout } = view;
  const keys = arcKeys(drawing, layout.segments);
  const wanted = new Set(keys);
  for (const [key, node] of view.arcNodes) {
    if (wanted.has(key)) continue;
    view.arcNodes.delete(key);
    if (still) node.groups.forEach((group) => group.remove());
    else {
      for (const group of node.groups) group.classList.add("leaving");
      setTimeout(() => node.groups.forEach((group) => group.remove()), GLIDE);
    }
  }
  return layout.segments.map((segment, i) => {
    const isNew = !view.arcNodes.has(keys[i]);
    if (isNew) view.arcNodes.set(keys[i], buildArc(view));
    const node = view.arcNodes.get(keys[i]);
    const from = node.at || segment;
    paintArc(view, node, segment);
    if (isNew && !still) {
      for (const group of node.groups) group.classList.add("arriving");
      setTimeout(() => node.groups.forEach((group) => group.classList.remove("arriving")), GLIDE);
    }
    return (t) => {
      node.at = { ...segment };
      for (const name of ["x1", "x2", "floor", "ceiling"]) node.at[name] = between(from[name], segment[name], t);
      placeArc(view, node, t);
    };
  });
}

// Lines and relations lie in two layers, so that no line crosses out a relation.
function buildArc(view) {
  const lines = svgElement("g", { class: "arc" });
  const caption = svgElement("g", { class: "arc" });
  const node = { groups: [lines, caption], at: null };
  node.hit = svgElement("path", { class: "hit" });
  lines.append(node.hit);
  for (const [role, tag] of [["band", "path"], ["line", "path"], ["tip", "path"], ["anchor", "circle"], ["label", "text"]]) {
    node[role] = svgElement(tag, { class: role, "data-role": role });
    (role === "label" ? caption : lines).append(node[role]);
  }
  view.parts.svg.querySelector("g.arcs").append(lines);
  view.parts.svg.querySelector("g.captions").append(caption);
  return node;
}

const DASH = { changed: "7 4", candidate: "1 4", former: "2 4" };

function paintArc(view, node, segment) {
  const arc = view.drawing.arcs[segment.arc];
  const dash = DASH[arc.kind] || (arc.disagrees ? "7 4" : "");
  for (const group of node.groups) Object.assign(group.dataset, { kind: arc.kind, arc: segment.arc });
  for (const line of [node.band, node.line]) {
    if (dash) line.setAttribute("stroke-dasharray", dash);
    else line.removeAttribute("stroke-dasharray");
  }
  const posterior = arc.posterior === null ? 0 : 0.12 + 0.88 * Math.min(Math.max(arc.posterior, 0), 1);
  node.band.setAttribute("stroke-opacity", posterior.toFixed(2));
  node.line.setAttribute("stroke-width", arc.agrees ? 3 : arc.posterior === null ? 1.5 : 1.1);
  for (const group of node.groups) group.classList.toggle("thick", arc.agrees);
  const whole = !segment.openLeft && !segment.openRight;
  node.anchor.setAttribute("r", arc.kind === "supported" && whole ? 2.6 : 0);
  const caption = segment.captionLeft || segment.captionRight;
  node.label.textContent = caption || (view.options.labels ? arc.label : "");
  node.label.setAttribute("font-size", view.metrics.label);
  const outward = segment.captionLeft ? "end" : "start";
  node.label.setAttribute("text-anchor", caption ? outward : "middle");
}

function placeArc(view, node) {
  const { at } = node;
  const { metrics } = view;
  const path = archPath(at, metrics);
  for (const line of [node.hit, node.band, node.line]) line.setAttribute("d", path);
  const end = at.tip === "right" ? at.x2 : at.x1;
  const back = at.floor + (at.below ? 8 : -8);
  node.tip.setAttribute("d", at.tip
    ? `M${end.toFixed(1)},${at.floor.toFixed(1)}L${(end - 3.8).toFixed(1)},${back.toFixed(1)}H${(end + 3.8).toFixed(1)}Z` : "");
  node.anchor.setAttribute("cx", (at.tip === "right" ? at.x1 : at.x2).toFixed(1));
  node.anchor.setAttribute("cy", at.floor.toFixed(1));
  const isRoot = Math.abs(at.x2 - at.x1) < 0.05;
  const lift = isRoot ? (at.below ? 0.6 : -0.6) * metrics.label : 0;
  const x = at.captionLeft ? at.x1 - 5 : at.captionRight ? at.x2 + 5 : (at.x1 + at.x2) / 2;
  node.label.setAttribute("x", x.toFixed(1));
  node.label.setAttribute("y", (at.ceiling + lift + metrics.label * 0.34).toFixed(1));
}

function drawBars(view) {
  const { drawing, layout, metrics } = view;
  const group = view.parts.svg.querySelector("g.bars");
  group.replaceChildren();
  const levels = spanLevels(drawing.spans);
  const tagLine = underWords(drawing, metrics);
  drawing.spans.forEach((span, i) => {
    for (const row of layout.rows) {
      const [first, last] = [Math.max(span.start, row.start), Math.min(span.end, row.end) - 1];
      if (first > last) continue;
      const ends = [layout.x[first], layout.x[last]].sort((a, b) => a - b);
      const y = row.y + metrics.word * 0.35 + tagLine + levels[i] * metrics.label * 1.6 + 4;
      const bar = svgElement("g", { class: "bar" });
      bar.append(svgElement("title", {}, [span.label, span.note].filter(Boolean).join(": ")));
      bar.append(svgElement("path", {
        "data-role": "bar", d: `M${(ends[0] - 10).toFixed(1)},${(y - 3).toFixed(1)}v3H${(ends[1] + 10).toFixed(1)}v-3`,
      }));
      if (first === span.start && span.label) {
        bar.append(svgElement("text", {
          "data-role": "bar-label", x: ((ends[0] + ends[1]) / 2).toFixed(1), y: (y + metrics.label * 1.05).toFixed(1),
          "text-anchor": "middle", "font-size": metrics.label,
        }, span.label));
      }
      group.append(bar);
    }
  });
}
