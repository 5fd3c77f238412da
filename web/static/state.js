// What the page knows of itself: which match, which turn is shown, from which side.
const table = document.getElementById("table");
const said = document.getElementById("said");
const toast = document.getElementById("toast");

export const state = {
  path: table.dataset.path,
  side: table.dataset.side,
  usual: table.dataset.usual,
  theme: table.dataset.theme,
  mark: table.dataset.mark,
  turn: Number(table.dataset.turn),
  last: Number(table.dataset.last),
  seated: table.dataset.seated === "yes",
  started: table.dataset.started === "yes",
  // What has been answered so far of a turn in the making, as the address of a seat holds it.
  answers: new URLSearchParams(),
};

export const sentences = document.getElementById("sentences").dataset;

export function atLatest() {
  return state.turn === state.last;
}

// Has a screen reader say something.
export function say(text) {
  said.textContent = "";
  requestAnimationFrame(() => { said.textContent = text; });
}

let fading;
export function show(text, stays = false) {
  clearTimeout(fading);
  toast.textContent = text;
  toast.hidden = !text;
  if (text && !stays) fading = setTimeout(() => { toast.hidden = true; }, 4000);
}

// The address of this page, or of a part of it, at a turn (null: the last).
export function address(turn, more = {}) {
  const query = new URLSearchParams(more);
  if (turn !== null) query.set("turn", turn);
  if (state.side !== state.usual || more.part === "stage") query.set("side", state.side);
  if (more.part === "stage") query.set("theme", state.theme);
  const text = query.toString();
  return text ? `${state.path}?${text}` : state.path;
}
