// The drawing taken away: SVG with real text, PNG at twice the size, TikZ written by Python.

// What a role in the drawing is painted with; colours are names in a palette, "kind" is the arc's own.
const PAINT = {
  paper: { fill: "paper" },
  band: { stroke: "kind", fill: "none", "stroke-width": 3.4 },
  line: { stroke: "kind", fill: "none" },
  tip: { fill: "kind" },
  anchor: { fill: "kind" },
  label: { fill: "kind", stroke: "paper", "stroke-width": 4, "stroke-linejoin": "round", "paint-order": "stroke" },
  word: { fill: "ink" },
  tag: { fill: "quiet" },
  bar: { stroke: "quiet", fill: "none" },
  "bar-label": { fill: "quiet" },
};

// The colours on the screen, by the names of the palettes.
function shownPalette(element) {
  const style = getComputedStyle(element);
  const read = (name) => style.getPropertyValue(`--tree-${name}`).trim();
  const names = ["paper", "ink", "quiet", "gold", "predicted", "changed", "supported", "third", "fourth", "plain", "candidate", "former"];
  const probe = document.createElement("span");
  element.append(probe);
  const palette = {};
  for (const name of names) {
    probe.style.color = "";
    probe.style.color = read(name); // resolves color-mix and names to rgb
    palette[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  return palette;
}

// A copy of the drawing as it stands, dimmed arcs included, that needs no style sheet.
function standaloneSvg(svg, palette, fonts, title) {
  const copy = svg.cloneNode(true);
  const shown = svg.querySelectorAll("g.arc, g.word, g.bar");
  const labels = svg.querySelectorAll("text.label");
  copy.querySelectorAll("text.label").forEach((label, i) => {
    const opacity = getComputedStyle(labels[i]).fillOpacity;
    if (opacity !== "1") label.setAttribute("fill-opacity", Number(opacity).toFixed(2));
  });
  copy.querySelectorAll("g.arc, g.word, g.bar").forEach((group, i) => {
    const opacity = getComputedStyle(shown[i]).opacity;
    if (opacity !== "1") group.setAttribute("opacity", Number(opacity).toFixed(2));
  });
  copy.querySelectorAll(".hit, .ring, .leaving, desc").forEach((element) => element.remove());
  const isUnseen = (element) => element.getAttribute("stroke-opacity") === "0.00" || element.getAttribute("r") === "0"
    || (element.tagName === "text" && !element.textContent);
  copy.querySelectorAll("[data-role]").forEach((element) => isUnseen(element) && element.remove());
  const paper = document.createElementNS(SVG, "rect");
  paper.setAttribute("width", "100%");
  paper.setAttribute("height", "100%");
  paper.dataset.role = "paper";
  const name = document.createElementNS(SVG, "title");
  name.textContent = title;
  copy.prepend(name, paper);
  copy.querySelectorAll("[data-role]").forEach((element) => {
    const kind = element.closest("g.arc")?.dataset.kind;
    for (const [attribute, value] of Object.entries(PAINT[element.dataset.role])) {
      element.setAttribute(attribute, palette[value === "kind" ? kind : value] ?? value);
    }
    if (element.tagName === "text") {
      element.setAttribute("font-family", element.dataset.role === "word" ? fonts.serif : fonts.sans);
    }
  });
  for (const element of [copy, ...copy.querySelectorAll("*")]) {
    for (const { name: attribute } of [...element.attributes]) {
      if (/^(data-|aria-|class$|style$|tabindex$|role$)/.test(attribute)) element.removeAttribute(attribute);
    }
  }
  copy.setAttribute("xmlns", SVG);
  copy.setAttribute("role", "img");
  return new XMLSerializer().serializeToString(copy);
}

function saveBlob(blob, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

async function pngBlob(svgText, width, height, scale) {
  const url = URL.createObjectURL(new Blob([svgText], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    context.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

async function save(view, format) {
  const shade = view.parts.shade.value;
  const drawing = view.drawing;
  const stem = (drawing.name || "tree").replace(/[^\p{L}\p{N}._-]+/gu, "-");
  if (format === "tex") {
    const colors = drawing.tikz.colors[shade] || drawing.tikz.colors.light;
    saveBlob(new Blob([colors, drawing.tikz.body], { type: "text/plain;charset=utf-8" }), `${stem}.tex`);
  } else {
    const palette = shade === "shown" ? shownPalette(view.parts.root) : drawing.palettes[shade];
    const text = standaloneSvg(view.parts.svg, palette, view.fonts, drawing.name || drawing.words.slice(1).join(" "));
    const blob = format === "svg"
      ? new Blob([text], { type: "image/svg+xml" })
      : await pngBlob(text, view.layout.width, view.layout.height, 2);
    saveBlob(blob, `${stem}.${format}`);
  }
  announce(view, `Saved ${stem}.${format}`);
}
