// The keys of what is played step by step, the same on a page and on the wall, and their list.

const PLAYED = [ // "wall": what remote controls send, which scrolls a page
  { move: "step", does: "next step", keys: ["ArrowRight", "n"], wall: ["PageDown"], shown: "→ N", more: "Page ↓" },
  { move: "back", does: "step back", keys: ["ArrowLeft", "b"], wall: ["PageUp"], shown: "← B", more: "Page ↑" },
  { move: "play", does: "play, pause", keys: ["p"], wall: [], shown: "P" },
  { move: "reset", does: "first step", keys: ["Home"], wall: [], shown: "Home" },
];

// What a key does: {move}, {guess}, or nothing. data: options, rtl. Whether a step follows is the server's to say: the
// browser may not yet know of the step before.
function played(event, data, wall) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return {};
  const guess = /^[1-9]$/.test(event.key) ? data.options[event.key - 1] : undefined;
  if (guess !== undefined) return { guess };
  const turned = data.rtl ? { ArrowRight: "ArrowLeft", ArrowLeft: "ArrowRight" }[event.key] : undefined;
  const key = turned ?? (event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const entry = PLAYED.find(({ keys, wall: remote }) => keys.includes(key) || (wall && remote.includes(key)));
  return entry ? { move: entry.move } : {};
}

// Rows that list the keys; "more" are others that only the place itself knows: [key, what it does].
function listed(wall, more) {
  const own = PLAYED.map(({ shown, more: remote, does }) => [wall && remote ? `${shown} ${remote}` : shown, does]);
  return [...own, ["1 … 9", "answer"], ...more].map(([key, does]) => {
    const row = document.createElement("div");
    row.append(Object.assign(document.createElement("b"), { textContent: key }), does);
    return row;
  });
}
