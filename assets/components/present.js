// One step over the whole window, for a wall: what happened, the picture, what comes next, the controls on one line.
// A modal dialog lies above everything and leaves the page behind it alone; Esc closes it, as it closes any dialog.

const LIST = [["S", "notes"], [".", "black screen"], ["?", "these keys"], ["Esc", "leave"]]; // beside those of keys.js

export default function (component) {
  const { data: [data], parentElement, setTriggerValue } = component;
  let frame = parentElement.querySelector("dialog");
  if (!frame) {
    frame = build();
    parentElement.append(frame);
  }
  const { parts } = frame;
  const send = (move) => setTriggerValue("move", move);
  parts.said.textContent = data.said;
  parts.figure.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(data.figure)}`;
  parts.figure.alt = data.alt;
  parts.question.textContent = data.question;
  parts.options.replaceChildren(...data.options.map((option) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: option });
    const numbers = data.given.find((line) => line.startsWith(`${option}: `));
    if (numbers) made.append(Object.assign(document.createElement("small"), { textContent: numbers.slice(option.length + 2) }));
    made.setAttribute("aria-pressed", option === data.guess);
    made.onclick = () => setTriggerValue("guess", option);
    return made;
  }));
  const others = data.given.filter((line) => !data.options.some((option) => line.startsWith(`${option}: `)));
  parts.given.replaceChildren(...others.map((line) => Object.assign(document.createElement("span"), { textContent: line })));
  parts.answer.textContent = data.answer;
  parts.place.textContent = data.place;
  parts.sentence.textContent = data.sentence;
  parts.step.textContent = data.next;
  parts.play.textContent = data.playing ? "Pause" : "Play";
  const ends = { back: data.first, step: data.last };
  for (const name of ["back", "step", "play", "leave"]) {
    parts[name].onclick = () => ends[name] || send(name);
    parts[name].setAttribute("aria-disabled", Boolean(ends[name])); // "disabled" would take the focus, and with it the keys
  }
  parts.notes.textContent = data.notes;
  parts.title.textContent = data.title;
  if (!data.notes) parts.notes.hidden = true;
  parts.speaker.hidden = !data.notes;
  parts.speaker.onclick = () => toggle(parts.notes, !data.notes);
  parts.help.onclick = () => toggle(parts.keys);
  const shown = { s: () => toggle(parts.notes, !data.notes), ".": () => toggle(parts.black), "?": () => toggle(parts.keys) };
  frame.onkeydown = (event) => {
    const { move, guess } = played(event, data, true);
    const does = move || guess !== undefined ? undefined : shown[event.key.toLowerCase()];
    if (guess !== undefined) setTriggerValue("guess", guess);
    else if (move) send(move);
    else if (does && !event.ctrlKey && !event.metaKey && !event.altKey) does();
    else return;
    event.preventDefault();
  };
  frame.oncancel = (event) => {
    event.preventDefault(); // the page closes it once it knows
    send("leave");
  };
  if (!frame.open) {
    frame.showModal();
    parts.step.focus();
  }
  if (!frame.querySelector(":focus")) frame.focus(); // an option that is gone had it, and keys would go nowhere
}

function toggle(part, never = false) {
  part.hidden = never || !part.hidden;
}

function build() {
  const frame = document.createElement("dialog");
  frame.setAttribute("aria-label", "Presentation");
  frame.tabIndex = -1;
  const node = (name, className, where) => where.appendChild(Object.assign(document.createElement(name), { className }));
  const said = node("h1", "said", frame);
  said.setAttribute("aria-live", "polite");
  const notes = node("p", "notes", frame);
  const figure = node("img", "figure", frame);
  const asked = node("div", "asked", frame);
  const given = node("p", "given", asked), question = node("span", "question", asked), options = node("span", "options", asked);
  const answer = node("strong", "answer", asked);
  answer.setAttribute("aria-live", "polite");
  const controls = node("div", "controls", frame);
  const button = (label) => {
    const made = node("button", label.toLowerCase(), controls);
    made.type = "button";
    made.textContent = label;
    return made;
  };
  const back = button("Back"), step = button("Step"), play = button("Play");
  const place = node("span", "place", controls), title = node("strong", "title", controls);
  const sentence = node("span", "sentence", controls), speaker = button("Notes"), help = button("?");
  help.setAttribute("aria-label", "Keys");
  const keys = node("div", "keys", frame), black = node("div", "black", frame);
  keys.append(...listed(true, LIST));
  for (const part of [notes, keys, black]) part.hidden = true;
  sentence.dir = "auto";
  frame.parts = { said, notes, figure, given, question, options, answer, back, step, play, place, title, sentence, speaker, help, keys, black };
  frame.parts.leave = button("Leave (Esc)");
  frame.parts.leave.className = "leave";
  return frame;
}
