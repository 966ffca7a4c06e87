// Changing words and sentences: split, merge, multiword tokens, forms, spaces, new words. Python carries the edits out,
// since they change every version of the sentence; keys that are pressed until the new words are here wait for them.

const WORD_KEYS = [
  ["s", "split", "Split", "split the word: a blank between its parts"],
  ["m", "merge", "Merge with next", "merge it with the next word"],
  ["t", "token", "Make or dissolve token", "make it and the next word one token (del: de el), or dissolve the token"],
  ["w", "form", "Correct form", "correct how the word is written"],
  ["W", "token-form", "Correct token’s form", "correct how its token is written"],
  ["i", "insert", "Insert a word", "insert a word after it"],
  ["j", "space", "Space after", "a space after it, or none"],
  ["⇧ Delete", "delete", "Delete word", "delete the word"],
  ["S", "split-sentence", "Split sentence", "split the sentence: the word begins the next one"],
  ["M", "merge-sentences", "Merge sentences", "merge the sentence with the next one"],
];
const NODE_KEYS = [ // in the enhanced graph
  ["N", "add", "Add empty node", "an empty node behind it, in the enhanced graph"],
  ["w", "forms", "Form of node", "write the form of the empty node"],
  ["u", "upos", "UPOS of node", "choose the UPOS of the empty node"],
  ["l", "lemmas", "Lemma of node", "write the lemma of the empty node"],
  ["x", "xpos", "XPOS of node", "write the XPOS of the empty node"],
  ["f", "feats", "Features of node", "write the features of the empty node"],
  ["⇧ Delete", "delete", "Delete node", "delete the empty node"],
];
const NODE_FIELDS = { forms: 1, lemmas: 3, xpos: 4, feats: 5 }; // where ``emptyNodes`` has what is written so
const ASKED = { // what the field asks for each edit that needs a form
  split: (name) => `Parts of ${name}? Put a blank between them`,
  token: (name, next) => `How are ${name} and ${next} written together?`,
  form: (name) => `How is ${name} written?`,
  "token-form": (name, next, token) => `How is the token ${token} written?`,
  insert: (name) => `Which word comes after ${name}?`,
  add: (name) => `Form of the empty node behind ${name}, if it has one?`,
  forms: (name) => `Form of ${name}, if it has one?`,
  lemmas: (name) => `Lemma of ${name}?`,
  xpos: (name) => `XPOS of ${name}?`,
  feats: (name) => `Features of ${name}, such as Case=Nom|Number=Sing?`,
};

// [first, last, form] of the multiword token that holds a word, or undefined.
function tokenOf(view, word) {
  return view.data.tokens.find(([first, last]) => first <= word && word <= last);
}

// Carries out an edit of the current word, or asks for its form first.
function editWords(view, edit) {
  const { data, current } = view;
  if (current >= data.words.length) return notice(view, "This is an empty node; choose a word to change words");
  const token = tokenOf(view, current);
  const isLast = current === data.words.length - 1;
  if (edit === "token-form" && !token) return notice(view, "This word is in no token; t makes one");
  if (edit === "split-sentence" && current === 1) return notice(view, "A sentence is split before its second word or a later one");
  if ((edit === "merge" || (edit === "token" && !token)) && isLast) return notice(view, "There is no next word to join");
  if (!ASKED[edit] || (edit === "token" && token)) return sendEdit(view, edit, []);
  const next = data.words[current + 1] || "";
  const parts = (data.splits[current] || []).join(" ");
  const begin = { split: parts || data.words[current], token: data.words[current] + next, form: data.words[current], insert: "" };
  askForms(view, edit, edit === "token-form" ? token[2] : begin[edit]);
  if (edit === "split" && !parts) view.parts.ask.input.setSelectionRange(0, 0); // where blanks are put by arrow keys
  return undefined;
}

function askForms(view, edit, begin) {
  const { input } = view.parts.ask;
  Object.assign(view, { mode: "words", edit });
  refresh(view);
  input.value = begin;
  input.focus();
  input.select();
}

function sendEdit(view, edit, forms) {
  leave(view);
  push(view, { do: "words", edit, word: view.current, forms });
  Object.assign(view, { leaving: "words", waiting: [] });
  moveTo(view, view.current);
}

function takeForm(view) {
  const text = view.parts.ask.input.value.trim();
  if (view.edit === "add" || view.edit in NODE_FIELDS) return takeNodeValue(view, text);
  const forms = view.edit === "split" ? text.split(/\s+/u) : [text];
  if (!text || (view.edit === "split" && forms.length < 2)) {
    return notice(view, view.edit === "split" ? "Type the parts, with a blank between them" : "Type a form first");
  }
  return sendEdit(view, view.edit, forms);
}

// Keys that were pressed before the field was there.
function typeForm(view, key) {
  if (key === "Enter") return takeForm(view);
  if (key === "Escape") { leave(view); return moveTo(view, view.current); }
  return typeKey(view.parts.ask.input, key);
}

function typeInField(view, key, shift) {
  if (pressInField(view, view.field, key, shift)) return;
  typeKey(view.parts.fields.inputs[view.field], key);
  typed(view, view.field);
}

function typeKey(input, key) {
  const [begin, end] = [input.selectionStart, input.selectionEnd];
  const isRange = begin < end;
  if (key === "ArrowLeft") return placeCaret(input, isRange ? begin : Math.max(0, begin - 1));
  if (key === "ArrowRight") return placeCaret(input, isRange ? end : end + 1);
  if (key === "Home") return placeCaret(input, 0);
  if (key === "End") return placeCaret(input, input.value.length);
  if (key === "Backspace") return input.setRangeText("", isRange ? begin : Math.max(0, begin - 1), end, "end");
  if (key === "Delete") return input.setRangeText("", begin, isRange ? end : end + 1, "end");
  return key.length === 1 ? input.setRangeText(key, begin, end, "end") : false;
}

function placeCaret(input, at) {
  input.setSelectionRange(at, at);
}

function askText(view) {
  const { data, current, edit } = view;
  const name = nodeName(view, current);
  const next = isolated(data.words[current + 1] || "");
  const token = tokenOf(view, current);
  const contracted = edit === "split" && data.splits[current] ? " · a contraction" : "";
  return `${ASKED[edit](name, next, token ? isolated(token[2]) : "")}${contracted} · Enter applies · Esc back${view.inGraph ? "" : othersText(data.annotators)}`;
}

// Who else has trees of the sentence, whose words change as well.
function othersText(others) {
  if (!others.length) return "";
  const trees = others.length === 1 ? "tree" : "trees";
  return ` · changing words also changes the ${trees} of ${others.map(isolated).join(" and ")}`;
}

function buildAsk(view) {
  const box = htmlElement("div", "ask");
  const input = htmlElement("input");
  Object.assign(input, { type: "text", spellcheck: false, dir: "auto", autocomplete: "off" });
  input.setAttribute("aria-label", "Forms");
  input.onkeydown = (event) => {
    event.stopPropagation();
    if (event.isComposing) return;
    if (event.key === "Enter") takeForm(view);
    if (event.key === "Escape") { leave(view); moveTo(view, view.current); }
  };
  input.oninput = () => { view.notice = ""; refresh(view); };
  const apply = htmlElement("button", "tool", "Apply");
  Object.assign(apply, { type: "button", onclick: () => takeForm(view) });
  box.append(input, apply);
  return { box, input };
}

// The edits for the mouse, in a menu over the tree.
function buildEdits(view) {
  const menu = htmlElement("details", "menu edits");
  menu.append(htmlElement("summary", "tool", "Change words"));
  const sheet = htmlElement("div", "sheet");
  for (const [keys, act] of [[WORD_KEYS, editWords], [NODE_KEYS, editNode]]) {
    for (const [key, edit, title, meaning] of keys) {
      const button = htmlElement("button");
      Object.assign(button, { type: "button", title: meaning });
      button.append(htmlElement("kbd", "", key), document.createTextNode(` ${title}`));
      button.onclick = () => { menu.open = false; act(view, edit); };
      sheet.append(button);
    }
  }
  menu.append(sheet);
  return menu;
}

// Words that are others than before stand where those stood; the cursor stays, as far as there are words.
function showOtherWords(view, hadFocus) {
  view.current = Math.min(view.current, view.data.words.length - 1);
  leave(view);
  refresh(view, false);
  if (hadFocus) moveTo(view, view.current);
}
