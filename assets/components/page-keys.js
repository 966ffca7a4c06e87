// The keys on a page: heard wherever the focus is but in a field, a table or what has these keys itself.

const FIELDS = "input:not([type=checkbox], [type=radio], [type=range], [type=button], [type=submit], [type=file]), "
  + "textarea, select, canvas, [contenteditable]:not([contenteditable=false]), [role=textbox], [role=combobox], "
  + "[role=searchbox], [role=spinbutton], [role=grid], [role=listbox], [role=dialog], [role=application], dialog";
const MOVED = "[role=slider], [role=radio], [role=tab], [role=menuitem], [role=tree], [role=treeitem], input"; // by arrows
const pages = new WeakMap(); // element -> what it shows and hears

export default function (component) {
  const { data: [data], parentElement, setTriggerValue } = component;
  if (!pages.has(parentElement)) pages.set(parentElement, build(parentElement));
  Object.assign(pages.get(parentElement), { data, setTriggerValue });
}

function build(parentElement) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "?" });
  button.setAttribute("aria-label", "Keys");
  const list = document.createElement("dialog");
  list.setAttribute("aria-label", "Keys");
  list.append(...listed(false, [["?", "these keys"], ["Esc", "close"]]));
  list.onclick = () => list.close();
  list.onkeydown = (event) => {
    if (event.key === "?") list.close();
  };
  button.onclick = () => list.showModal();
  parentElement.append(button, list);
  const page = { list };
  const hear = (event) => {
    if (!parentElement.isConnected) document.removeEventListener("keydown", hear); // the page is another one
    else answer(page, event);
  };
  document.addEventListener("keydown", hear);
  return page;
}

function answer({ data, setTriggerValue, list }, event) {
  const within = (selector) => event.composedPath().some((each) => each.matches?.(selector));
  if (within(FIELDS) || document.querySelector("[role=dialog][aria-modal=true]")) return;
  if (event.key === "?") return list.showModal();
  if (event.key.length > 1 && within(MOVED)) return;
  const { move, guess } = played(event, data, false);
  if (!move && guess === undefined) return;
  event.preventDefault();
  setTriggerValue(...(move ? ["move", move] : ["guess", guess]));
}
