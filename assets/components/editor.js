// A plain text area with line numbers. It sends {id, text} after a pause or a line; what Python sends back is shown
// once all that was typed here has been seen there, so a late answer never overwrites a keystroke.

const PAUSE = 200; // milliseconds; the end of a line needs none
const instances = new WeakMap();

export default function (component) {
  const { data: [data], parentElement, setStateValue, setTriggerValue } = component;
  let editor = instances.get(parentElement);
  if (!editor) {
    editor = build(parentElement);
    instances.set(parentElement, editor);
  }
  const { area, gutter, notes } = editor;
  area.setAttribute("aria-label", data.label);
  if (data.completion) {
    area.setAttribute("aria-autocomplete", "list");
    area.setAttribute("aria-controls", editor.list.id);
  }
  area.closest(".editor").style.height = data.height || "";
  const answered = editor.sent === null || data.seen === editor.sent;
  if (answered && editor.timer === null && area.value !== data.text) {
    const caret = area.selectionStart;
    area.value = data.text;
    area.setSelectionRange(caret, caret);
    editor.complete.close();
  }
  editor.marks = data.marks || {};
  editor.completion = data.completion;
  number(editor);

  const send = () => {
    editor.timer = null;
    if (!area.isConnected) return; // another view is open
    editor.count += 1;
    editor.sent = `${editor.name}-${editor.count}`;
    setStateValue("edit", { id: editor.sent, text: area.value });
  };
  const flush = () => {
    if (editor.timer !== null) {
      clearTimeout(editor.timer);
      send();
    }
  };
  const typed = (event) => {
    clearTimeout(editor.timer);
    editor.timer = setTimeout(send, event?.inputType === "insertLineBreak" ? 0 : PAUSE);
    number(editor);
  };
  editor.typed = typed; // of this run: the completion is built once
  area.oninput = (event) => {
    typed(event);
    if (editor.completion && !event.isComposing) editor.complete.show(false);
  };
  area.onblur = () => {
    editor.complete.close();
    flush();
  };
  area.onpointerdown = editor.complete.close;
  area.onscroll = () => {
    gutter.scrollTop = notes.scrollTop = area.scrollTop;
    notes.scrollLeft = area.scrollLeft;
    editor.complete.move(); // not close: what scrolls may be the very key that is completed
  };
  area.onkeydown = (event) => {
    if (editor.completion && !event.isComposing) editor.complete.key(event);
    // Undo and redo belong to the project, in which every pause is a step; the browser's own would go past them.
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") {
      event.preventDefault();
      event.stopPropagation();
      flush();
      setTriggerValue("step", event.shiftKey ? "redo" : "undo");
    }
  };
}

function build(parentElement) {
  const frame = document.createElement("div");
  frame.className = "editor";
  const gutter = document.createElement("div");
  gutter.className = "gutter";
  gutter.setAttribute("aria-hidden", "true");
  const area = document.createElement("textarea");
  area.spellcheck = false;
  area.wrap = "off";
  const notes = document.createElement("div");
  notes.className = "notes";
  notes.setAttribute("aria-hidden", "true");
  const pane = document.createElement("div");
  pane.className = "pane";
  const name = Math.random().toString(36).slice(2);
  const list = document.createElement("div");
  list.className = "suggestions";
  list.id = `${name}-list`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "Suggestions");
  list.hidden = true;
  const live = document.createElement("div");
  live.className = "live";
  live.setAttribute("aria-live", "polite");
  pane.append(notes, area, list, live);
  frame.append(gutter, pane);
  parentElement.append(frame);
  const editor = { area, gutter, notes, pane, list, live, marks: {}, timer: null, sent: null, count: 0, name };
  editor.complete = completer(editor, () => editor.typed());
  return editor;
}

function number({ area, gutter, notes, marks }) {
  const lines = area.value.split("\n");
  gutter.replaceChildren(
    ...lines.map((_, index) => {
      const cell = document.createElement("div");
      cell.textContent = String(index + 1);
      const mark = marks[String(index + 1)];
      if (mark) {
        cell.className = mark[0];
        cell.title = mark[2];
      }
      return cell;
    }),
  );
  notes.replaceChildren(
    ...lines.map((line, index) => {
      const row = document.createElement("div");
      const mark = marks[String(index + 1)];
      row.textContent = line || " "; // unseen: it only pushes the note behind the line
      if (mark) {
        const note = document.createElement("span");
        note.className = mark[0];
        note.textContent = mark[1];
        row.append(note);
      }
      return row;
    }),
  );
  gutter.scrollTop = notes.scrollTop = area.scrollTop;
  notes.scrollLeft = area.scrollLeft;
}
