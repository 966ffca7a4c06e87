"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const made = (tag, values = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), values);
    element.append(...children);
    return element;
  };
  const MINUS = /−/g;
  let data, tasks, tries, total = null, now = 0, key = "", sending = false;

  // ---- what was answered: on the server, or in this page's address ----

  const store = {
    async load() {
      key = location.hash.slice(1);
      if (!/^[A-Za-z0-9_-]{22}$/.test(key)) {
        key = base64(crypto.getRandomValues(new Uint8Array(16)));
        history.replaceState(null, "", `#${key}`);
      }
      take(await ask({ key }));
    },
    async answer(task, answer) {
      take(await ask({ key, name: one("#name").value, task, answer }));
    },
  };
  const file = {
    async load() {
      key = base64(crypto.getRandomValues(new Uint8Array(16)));
      const kept = readCode(location.hash.slice(1));
      if (!kept || kept.exercise !== data.name) return;
      key = kept.key;
      one("#name").value = kept.name;
      for (const [task, answer] of kept.tries) if (tasks[task]) keep(task, answer);
    },
    async answer(task, answer) {
      keep(task, answer);
      writeCode();
    },
  };

  async function ask(body) {
    const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(location.pathname, options);
    const said = await answer.json();
    if (!answer.ok) throw new Error(said.error);
    return said;
  }

  function take(state) {
    tries = state.tries;
    total = state.total;
    if (state.name && !one("#name").value) one("#name").value = state.name;
  }

  const base64 = (bytes) => btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

  function crc32(bytes) {
    let crc = -1;
    for (const byte of bytes) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ((crc ^ -1) >>> 0).toString(16).padStart(8, "0");
  }

  function writeCode() {
    const given = tries.flatMap((of, task) => of.map((each) => [each.at, task, each.answer]));
    given.sort((a, b) => a[0] - b[0]);
    const values = {
      exercise: data.name, key, name: one("#name").value, tries: given.map(([, task, answer]) => [task, answer]),
    };
    const bytes = new TextEncoder().encode(JSON.stringify(values));
    const code = `${base64(bytes)}.${crc32(bytes)}`;
    history.replaceState(null, "", `#${code}`);
    one(".code textarea").value = code;
  }

  function readCode(code) {
    const [body, checksum] = code.split(".");
    if (!checksum || !/^[\w-]+$/.test(body)) return null;
    const bytes = Uint8Array.from(atob(body.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
    return crc32(bytes) === checksum ? JSON.parse(new TextDecoder().decode(bytes)) : null;
  }

  // ---- judging, where no server does ----

  function keep(task, answer) {
    const at = tries.reduce((sum, of) => sum + of.length, 0);
    tries[task].push({ answer, at, verdict: {} });
    tries[task].at(-1).verdict = verdict(tasks[task], answer, tries[task].length >= data.tries);
    if (data.feedback === "share") total = rightOfAll();
  }

  function verdict(task, answer, last) {
    if (!task.right || data.feedback === "none" || data.feedback === "share") return {};
    const parts = judge(task, answer), said = { parts };
    if (data.feedback === "answer" && (last || parts.every(Boolean))) {
      said.right = task.solution;
      said.why = task.why.filter((reason, part) => reason && (task.kind !== "tree" || !parts[part]));
    }
    return said;
  }

  function judge(task, answer) {
    if (task.kind === "tree") return answer.filter((_, m) => task.right[m]).map((given, m) => given === asked(task)[m]);
    if (task.kind === "cell") return [isClose(answer[0], task.right[0])];
    return [task.right.includes(answer[0])];
  }

  const asked = (task) => task.right.filter(Boolean);

  function rightOfAll() {
    const judged = tasks.filter((task) => task.right);
    if (tasks.some((task, k) => task.right && !tries[k].length)) return null;
    return [judged.filter((task) => judge(task, tries[tasks.indexOf(task)].at(-1).answer).every(Boolean)).length, judged.length];
  }

  function asNumber(text) {
    text = text.trim().replace(MINUS, "-").replace(",", ".").replace("∞", "inf");
    const share = text.endsWith("%");
    if (share) text = text.slice(0, -1).trim();
    const value = /^[-+]?inf(inity)?$/i.test(text) ? (text[0] === "-" ? -Infinity : Infinity) : Number(text || NaN);
    const half = 0.5 * 10 ** -(text.split(".")[1] || "").length;
    return share ? [value / 100, half / 100] : [value, half];
  }

  function isClose(answer, right) {
    const [given] = asNumber(answer), [wanted, half] = asNumber(right);
    return given === wanted || Math.abs(given - wanted) <= half * 1.000001;
  }

  // ---- what is shown ----

  const done = (k) => tries[k].length >= data.tries || isRight(tries[k].at(-1));
  const isRight = (last) => Boolean(last && last.verdict.parts && last.verdict.parts.every(Boolean));

  function list() {
    one("nav ol").replaceChildren(...tasks.map((task, k) => {
      const last = tries[k].at(-1);
      const mark = !last ? "" : !last.verdict.parts ? "answered" : isRight(last) ? "right" : "not right";
      const button = made("button", { type: "button", onclick: () => open(k) }, `Task ${k + 1} `, made("span", { className: "mark", textContent: mark }));
      if (k === now) button.setAttribute("aria-current", "step");
      return made("li", {}, button);
    }));
  }

  function open(k) {
    now = k;
    const task = tasks[k];
    one("h2").textContent = `Task ${k + 1} of ${tasks.length}`;
    one(".picture").innerHTML = task.picture; // escaped where it was made, and the policy runs nothing in it
    one(".said").textContent = task.said;
    one(".given").replaceChildren(...task.given.map((line) => made("li", { textContent: line })));
    one(".scores").hidden = !task.table.length;
    one(".scores").open = task.table.length <= 8;
    one(".scores div").replaceChildren(...(task.table.length ? [table(task.table)] : []));
    one("legend").textContent = task.asks;
    one(".fields").replaceChildren(...fields[task.kind](task));
    one("[data-next]").hidden = k === tasks.length - 1;
    const last = tries[k].at(-1);
    if (last) fill(task, last.answer);
    sentence();
    judged();
    list();
  }

  function table(rows) {
    const [head, ...body] = rows;
    const cells = (row, tag) => row.map((cell) => made(tag, { textContent: cell }));
    return made("table", {}, made("tr", {}, ...cells(head, "th")), ...body.map((row) => {
      const [name, ...values] = row;
      return made("tr", {}, made("th", { textContent: name }), ...cells(values, "td"));
    }));
  }

  const fields = {
    move: (task) => task.options.map((option, k) => made("label", {}, made("input", {
      type: "radio", name: "option", value: option, required: true,
    }), ` ${k + 1}. `, made("bdi", { textContent: option }))),
    cell: () => [made("input", { name: "value", required: true, inputMode: "decimal", size: 10, maxLength: 30, ariaLabel: "The value" })],
    constraint: () => [made("input", { name: "value", required: true, size: 40, maxLength: 300, ariaLabel: "The constraint", spellcheck: false })],
    tree: (task) => [made("table", {}, ...task.words.map((word, m) => task.asked[m] ? row(task, word, m) : ""))],
  };

  function row(task, word, m) {
    const heads = made("select", { name: "head", required: true, ariaLabel: `Head of ${word} (${m + 1})`, onchange: sentence },
      made("option", { value: "", textContent: "head" }), made("option", { value: "0", textContent: "0 root" }),
      ...task.words.map((head, h) => h === m ? "" : made("option", { value: String(h + 1), textContent: `${h + 1} ${head}` })));
    const labels = task.options.length ? [made("td", {}, made("select", { name: "label", required: true, ariaLabel: `Relation of ${word} (${m + 1})`, onchange: sentence },
      made("option", { value: "", textContent: "relation" }), ...task.options.map((label) => made("option", { value: label, textContent: label }))))] : [];
    const tag = made("span", { className: "tag", textContent: ` ${task.tags[m] || ""}` });
    const line = made("tr", {}, made("th", { scope: "row" }, `${m + 1} `, made("bdi", { textContent: word }), tag), made("td", {}, heads), ...labels, made("td", { className: "verdict" }));
    line.dataset.word = m;
    return line;
  }

  const rows = () => [...document.querySelectorAll(".fields tr")];

  function given(task) {
    if (task.kind === "move") return [one(".fields :checked").value];
    if (task.kind !== "tree") return [one(".fields input").value];
    const answer = task.words.map(() => "");
    for (const line of rows()) {
      answer[line.dataset.word] = [...line.querySelectorAll("select")].map((select) => select.value).join(" ");
    }
    return answer;
  }

  function fill(task, answer) {
    if (task.kind === "move") {
      const chosen = [...document.querySelectorAll(".fields input")].find((input) => input.value === answer[0]);
      if (chosen) chosen.checked = true;
    } else if (task.kind !== "tree") {
      one(".fields input").value = answer[0];
    } else {
      for (const line of rows()) {
        const parts = answer[line.dataset.word].split(" ");
        line.querySelectorAll("select").forEach((select, k) => { select.value = parts[k] || ""; });
      }
    }
  }

  // The words of the sentence, with the arcs that are chosen so far above them.
  function sentence() {
    const task = tasks[now], place = one(".sentence");
    if (task.kind !== "tree" && task.kind !== "constraint") return place.replaceChildren();
    const SVG = "http://www.w3.org/2000/svg", svg = document.createElementNS(SVG, "svg");
    const add = (tag, values, text = "") => {
      const element = document.createElementNS(SVG, tag);
      for (const [name, value] of Object.entries(values)) element.setAttribute(name, value);
      element.textContent = text;
      svg.append(element);
    };
    const at = [], arcs = chosenArcs(task), rtl = /[\u0590-\u08ff]/.test(task.words.join(""));
    let width = 20;
    for (const word of task.words) {
      const room = Math.max(46, [...word].length * 10 + 16);
      at.push(width + room / 2);
      width += room;
    }
    if (rtl) at.forEach((x, m) => { at[m] = width + 20 - x; });
    const farthest = Math.max(1, ...arcs.map(([h, m]) => h ? Math.abs(h - m) : 1));
    const floor = 30 + 16 * Math.min(farthest, 12);
    for (const [h, m, label] of arcs) {
      const x = at[m - 1], from = h ? at[h - 1] + (x > at[h - 1] ? 5 : -5) : x;
      const top = floor - 14 - 16 * Math.min(h ? Math.abs(h - m) : farthest, 12);
      const line = h ? `M${from},${floor}C${from},${top} ${x},${top} ${x},${floor - 5}` : `M${x},2V${floor - 5}`;
      add("path", { d: line, fill: "none", stroke: "#0072b2", "stroke-width": 1.6 });
      add("path", { d: `M${x - 4},${floor - 8}L${x},${floor}L${x + 4},${floor - 8}Z`, fill: "#0072b2" });
      if (label && h) add("text", { x: (from + x) / 2, y: top + (floor - top) / 4 - 3, "font-size": 11, "text-anchor": "middle", fill: "#62666d" }, label);
    }
    task.words.forEach((word, m) => {
      add("text", { x: at[m], y: floor + 18, "font-size": 16, "text-anchor": "middle", fill: "#141619" }, word);
      add("text", { x: at[m], y: floor + 34, "font-size": 11, "text-anchor": "middle", fill: "#62666d" }, `${m + 1} ${task.tags[m] || ""}`);
    });
    svg.setAttribute("width", width + 20);
    svg.setAttribute("height", floor + 42);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", `${task.words.join(" ")}; ${arcs.length} arcs`);
    place.replaceChildren(svg);
  }

  function chosenArcs(task) {
    if (task.kind !== "tree") return [];
    return given(task).map((part, m) => [part.split(" ")[0], m + 1, part.split(" ")[1]])
      .filter(([head]) => head !== "").map(([head, m, label]) => [Number(head), m, label]);
  }

  function judged() {
    const task = tasks[now], last = tries[now].at(-1), place = one(".judged"), left = data.tries - tries[now].length;
    const parts = last && last.verdict.parts;
    place.className = `judged ${parts ? (isRight(last) ? "right" : "wrong") : ""}`;
    place.textContent = !last ? "" : says(task, last, parts);
    one(".why").replaceChildren(...((last && last.verdict.why) || []).map((reason) => made("li", { textContent: reason })));
    if (parts && task.kind === "tree") {
      rows().forEach((line, k) => {
        const cell = one(".verdict", line);
        cell.textContent = parts[k] ? "right" : "not right";
        cell.className = `verdict ${parts[k] ? "right" : "wrong"}`;
      });
    }
    one("form .primary").disabled = done(now) || sending;
    one(".left").textContent = done(now) ? "" : `${left} ${left === 1 ? "try" : "tries"} left`;
    one(".code").hidden = !data.name;
    if (data.name && last) writeCode();
  }

  function says(task, last, parts) {
    const all = total ? ` ${total[0]} of ${total[1]} tasks are right.` : "";
    if (!parts) return `Your answer is kept.${all}`;
    const right = parts.filter(Boolean).length;
    const share = parts.length > 1 && right < parts.length ? `${right} of ${parts.length} words are right.` : right === parts.length ? "Right." : "Not right.";
    return `${share}${last.verdict.right && !isRight(last) ? ` Right is: ${last.verdict.right}.` : ""}`;
  }

  async function submit(event) {
    event.preventDefault();
    if (sending) return;
    const task = tasks[now], answer = given(task);
    if (task.kind === "cell" && Number.isNaN(asNumber(answer[0])[0])) {
      return refuse("That is no number; type one, such as 7.5, -3 or -inf.");
    }
    sending = true;
    judged();
    let error = "";
    try {
      await (data.name ? file : store).answer(now, answer);
    } catch (problem) {
      error = `${problem.message || "The server did not answer"}. Nothing of what you chose here is lost.`;
    }
    sending = false;
    judged();
    list();
    if (error) refuse(error);
  }

  function refuse(sentence) {
    one(".judged").className = "judged wrong";
    one(".judged").textContent = sentence;
  }

  async function unpack() {
    const packed = Uint8Array.from(atob(one("#data").textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  }

  async function begin() {
    data = await unpack();
    tasks = data.tasks;
    tries = tasks.map(() => []);
    one("#ends").textContent = data.ends;
    one(".keep").textContent = data.name ? "" : "Keep this page’s address: it is how you come back to your answers, and yours alone.";
    one("form").addEventListener("submit", submit);
    one("[data-next]").addEventListener("click", () => open(now + 1));
    one("[data-copy]").addEventListener("click", copy);
    let error = "";
    try {
      await (data.name ? file : store).load();
    } catch (problem) {
      error = `${problem.message}.`;
    }
    open(0);
    document.addEventListener("keydown", (event) => {
      const option = document.querySelectorAll('.fields input[type="radio"]')[Number(event.key) - 1];
      if (option && !event.altKey && !event.ctrlKey && !event.metaKey && event.target.id !== "name") option.click();
    });
    if (error) refuse(error);
  }

  async function copy() {
    const field = one(".code textarea");
    field.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
    one(".code [role=status]").textContent = navigator.clipboard ? "Copied." : "Press Ctrl and C.";
  }

  if (window.DecompressionStream) begin();
  else one("h2").textContent = "This page needs a newer browser: one of 2023 or later.";
})();
