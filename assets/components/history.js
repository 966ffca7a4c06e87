// Back and Forward go by what somebody did. One click may open a page, a text and a place in it: Streamlit 1.67 adds an
// entry to the browser's history for each of these, and one that leaves the former page without its places.

export default function () {
  if (history.pushState.isOneAnAct) return; // of a page of this tab that was drawn before
  const push = history.pushState.bind(history);
  let acted = false;
  const act = () => {
    acted = true;
  };
  const enter = (state, unused, address) => {
    if (acted) push(state, unused, address);
    else history.replaceState(state, unused, address);
    acted = false;
  };
  enter.isOneAnAct = true;
  history.pushState = enter;
  for (const kind of ["pointerdown", "keydown"]) window.addEventListener(kind, act, true);
}
