// Completion for the editor: a list below the caret, by mouse and keyboard. Python says what may be typed where:
// `completion.contexts` are tried in order, the first whose `after` matches what stands before the word counts.
// Nothing is chosen until an arrow key chooses it, so Enter is a new line and what is typed stays as typed.

const SHOWN = 8;

function completer(editor, changed) {
  const { area, list, live } = editor;
  let token = null; // of type {start, end} while the list is open
  let words = [];
  let active = -1;

  const close = () => {
    token = null;
    active = -1;
    list.hidden = true;
    list.replaceChildren();
    live.textContent = "";
    area.removeAttribute("aria-activedescendant");
  };
  const choose = (index) => {
    active = index;
    [...list.children].forEach((row, place) => row.setAttribute("aria-selected", String(place === index)));
    if (index < 0) area.removeAttribute("aria-activedescendant");
    else {
      area.setAttribute("aria-activedescendant", list.children[index].id);
      list.children[index].scrollIntoView({ block: "nearest" });
      live.textContent = `${words[index][0]}, ${index + 1} of ${words.length}`;
    }
  };
  const accept = (index) => {
    const { start, end } = token;
    area.focus();
    area.setRangeText(words[index][0], start, end, "end");
    close();
    changed();
  };
  const show = (asked) => {
    close();
    const found = area.selectionStart === area.selectionEnd && fitting(area, editor.completion, asked);
    if (!found) return;
    ({ token, words } = found);
    list.replaceChildren(...words.map((word, index) => option(editor.name, word, index, accept)));
    list.hidden = false;
    place(editor, token.start);
    live.textContent = `${words.length} ${words.length === 1 ? "suggestion" : "suggestions"}`;
  };
  const move = () => {
    if (token !== null && !place(editor, token.start)) close();
  };
  const key = (event) => {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      show(true);
      return;
    }
    if (token === null) return;
    const last = words.length - 1;
    if (event.key === "ArrowDown") choose(active === last ? 0 : active + 1);
    else if (event.key === "ArrowUp") choose(active <= 0 ? last : active - 1);
    else if (event.key === "Tab" && !event.shiftKey) accept(Math.max(active, 0));
    else if (event.key === "Enter" && active >= 0) accept(active);
    else if (event.key === "Escape") close();
    else {
      if (!["Shift", "Control", "Alt", "Meta"].includes(event.key) && event.key.length > 1) close();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  return { show, close, move, key };
}

function fitting(area, completion, asked) {
  const caret = area.selectionStart;
  const begin = area.value.lastIndexOf("\n", caret - 1) + 1;
  const line = area.value.slice(begin, caret);
  const typed = line.match(new RegExp(completion.token, "u"))[0].split(/<->|->|<-|--|→|←|↔/u).at(-1);
  if (!typed && !asked) return null;
  const before = line.slice(0, line.length - typed.length);
  const context = completion.contexts.find((each) => new RegExp(each.after, "u").test(before));
  const words = (context?.words ?? []).filter(([text]) => plain(text).startsWith(plain(typed))).slice(0, SHOWN);
  if (!words.length || words.some(([text]) => text === typed)) return null;
  return { words, token: { start: caret - typed.length, end: caret } };
}

const plain = (text) => text.replaceAll('"', "").toLowerCase();

function option(name, [text, about], index, accept) {
  const row = document.createElement("div");
  row.id = `${name}-${index}`;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", "false");
  const word = document.createElement("span");
  word.textContent = text;
  const note = document.createElement("small");
  note.textContent = about;
  row.append(word, note);
  row.onmousedown = (event) => event.preventDefault(); // the caret stays in the text
  row.onclick = () => accept(index);
  return row;
}

// Put the list beside the text at `start`; false where that has been scrolled out of sight.
function place({ area, notes, list, pane }, start) {
  // `notes` holds the same lines in the same type: its text tells where the caret is, in any script
  const lines = area.value.slice(0, start).split("\n");
  const row = notes.children[lines.length - 1];
  const range = document.createRange();
  const text = row.firstChild;
  range.setStart(text, Math.min(lines.at(-1).length, text.length));
  const caret = range.getBoundingClientRect();
  const frame = pane.getBoundingClientRect();
  const line = row.getBoundingClientRect();
  const left = Math.min(caret.left - frame.left, frame.width - list.offsetWidth - 4);
  const below = line.bottom - frame.top + 2;
  const above = line.top - frame.top - list.offsetHeight - 2;
  list.style.left = `${Math.max(4, left)}px`;
  list.style.top = `${below + list.offsetHeight <= frame.height || above < 0 ? below : above}px`;
  return line.bottom > frame.top && line.top < frame.bottom;
}
