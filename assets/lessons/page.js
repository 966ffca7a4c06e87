"use strict";
(() => {
  const one = (selector, within = document) => within.querySelector(selector);
  const stops = [...document.querySelectorAll("nav li")];
  const frame = one(".run"), asked = one(".asked"), answer = one(".asked [role=status]");
  const drawn = new Map(); // number of a run -> its element
  let stop = 0, step = 0;

  async function unpack(number) {
    const packed = Uint8Array.from(atob(one(`#run${number}`).textContent), (letter) => letter.charCodeAt(0));
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
    const run = document.createElement("div");
    run.innerHTML = await new Response(stream).text(); // escaped where it was made, and the policy runs nothing in it
    run.marks = [...run.querySelectorAll("[data-at]")].map((mark) => [
      mark, mark.dataset.at.split(" ").map((part) => part.split("-").map(Number)),
    ]);
    run.steps = [...run.querySelectorAll("ol > li")];
    return run;
  }

  async function show(toStop, toStep) {
    stop = toStop;
    const { run: number, first } = stops[stop].dataset;
    step = toStep ?? Number(first);
    if (!drawn.has(number)) drawn.set(number, unpack(number));
    const run = await drawn.get(number);
    if (stops[stop].dataset.run !== number) return; // somebody went on meanwhile
    step = Math.min(Math.max(step, 0), run.steps.length - 1);
    draw(run);
  }

  function draw(run) {
    if (frame.firstChild !== run) frame.replaceChildren(run);
    for (const [mark, parts] of run.marks) {
      mark.toggleAttribute("hidden", !parts.some(([from, to]) => from <= step && step <= to));
    }
    const now = run.steps[step], said = one("p", now).textContent;
    one(".what span", run).textContent = `step ${step + 1} of ${run.steps.length}`;
    one(".said", run).textContent = said;
    one("svg", run).setAttribute("aria-label", `${now.dataset.title}. ${said}`);
    one("h2").textContent = `${stop + 1}. ${one("button", stops[stop]).textContent}`;
    stops.forEach((each, place) => {
      if (place === stop) one("button", each).setAttribute("aria-current", "step");
      else one("button", each).removeAttribute("aria-current");
    });
    const notes = one("p", stops[stop]).textContent;
    one("details").hidden = !notes;
    one(".notes").textContent = notes;
    ask(run.steps[step + 1]);
    const ends = leaves();
    one("[data-move=back]").disabled = step === 0 && stop === 0;
    one("[data-move=step]").disabled = ends && stop === stops.length - 1;
    one("[data-move=step]").textContent = ends && stop < stops.length - 1 ? "Next stop" : "Step";
  }

  const leaves = () => step >= Number(stops[stop].dataset.last); // the stop ends here

  function ask(next) {
    const question = next && one("div", next);
    answer.textContent = "";
    one("div", asked).replaceChildren(...(question ? question.cloneNode(true).childNodes : []));
    one("div", asked).dataset.right = question ? question.dataset.right : "";
  }

  function judge(option) {
    for (const each of asked.querySelectorAll("button")) each.setAttribute("aria-pressed", String(each === option));
    answer.textContent = `${option.dataset.right === "1" ? "Correct" : "No"}: ${one("div", asked).dataset.right}.`;
  }

  const moves = {
    step() {
      if (!leaves()) show(stop, step + 1);
      else if (stop < stops.length - 1) show(stop + 1);
    },
    back() {
      if (step > 0) show(stop, step - 1);
      else if (stop > 0) show(stop - 1);
    },
    begin: () => show(stop, 0),
    end: () => show(stop, Number(stops[stop].dataset.last)),
  };
  const keys = {
    ArrowRight: "step", PageDown: "step", ArrowLeft: "back", PageUp: "back", Home: "begin", End: "end",
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const option = asked.querySelectorAll("button")[Number(event.key) - 1];
    if (keys[event.key]) moves[keys[event.key]]();
    else if (option) judge(option);
    else return;
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    const place = stops.indexOf(button.parentElement);
    if (place >= 0) show(place);
    else if (button.dataset.move) moves[button.dataset.move]();
    else judge(button);
  });
  if (window.DecompressionStream) show(0);
  else one("h2").textContent = "This page needs a newer browser: one of 2023 or later.";
})();
