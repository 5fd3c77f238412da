// Paging through the turns with buttons, slider, list and arrow keys, without a reload.
import { fetchPart } from "./fragments.js";
import { updateAddress } from "./history.js";
import { initPagingKeys } from "./paging.js";
import { isPending, playPending } from "./pending.js";
import { announce, atLatest, pageUrl, state, takebacks, textOf } from "./state.js";

const controls = document.getElementById("replay-controls");
const slider = document.getElementById("slider");
const log = document.getElementById("log");
const scroll = document.getElementById("scroll");

let isLoading = false;
// Loads the board of the displayed turn with the controls of the seat.
let showSeat = null;

// Shows a turn. Of several requested while a board loads, only the last one is loaded next.
export async function showTurn(turn) {
  if (isPending() && !(await playPending())) {
    updateControls();
    return;
  }
  state.chosen = turn < state.last ? Math.max(0, turn) : null;
  updateControls();
  // At once: a step that is taken while a board loads must not follow the address of another board in the history.
  updateAddress();
  if (isLoading) return;
  isLoading = true;
  let shown = null;
  while (shown !== state.turn) {
    shown = state.turn;
    if (!(await (state.seated ? showSeat() : fetchPart(pageUrl(shown, { part: "board" }))))) break;
  }
  isLoading = false;
  announce(textOf("caption"));
}

export function goTo(name) {
  const turns = { first: 0, back: state.turn - 1, forward: state.turn + 1, latest: state.last };
  const turn = Math.max(0, Math.min(turns[name], state.last));
  if (turn !== state.turn || name === "latest") showTurn(turn);
}

// Follows the match to a version that the server has sent: forward or, after a takeback, back. `markup` is that of the
// turns after the first `since`.
export function follow(version, since, markup) {
  state.version = version;
  if (state.chosen !== null && state.chosen >= state.last) {
    state.chosen = null;
    updateAddress();
  }
  const items = new DOMParser().parseFromString(`<ol>${markup}</ol>`, "text/html").querySelectorAll("li");
  items.forEach((item, index) => {
    const old = log.children[since + index];
    if (!old) log.append(item);
    else if (old.textContent !== item.textContent) old.replaceWith(item);
  });
  while (log.children.length > state.last) log.lastElementChild.remove();
}

// Updates slider, links and turn list to the displayed turn.
export function updateControls() {
  controls.hidden = !state.started;
  log.closest(".log").hidden = !state.started;
  slider.max = state.last;
  slider.value = state.turn;
  const turns = { first: 0, back: Math.max(0, state.turn - 1), forward: Math.min(state.last, state.turn + 1), latest: null };
  for (const link of controls.querySelectorAll("a")) {
    const name = link.dataset.step;
    link.href = pageUrl(turns[name]);
    const isDisabled = name === "first" || name === "back" ? state.turn === 0 : atLatest();
    link.toggleAttribute("aria-disabled", isDisabled);
    if (isDisabled) link.setAttribute("aria-disabled", "true");
  }
  if (atLatest()) controls.querySelector('[data-step="latest"]').classList.remove("fresh");
  for (const link of log.querySelectorAll("[aria-current]")) link.removeAttribute("aria-current");
  markInChart();
  const item = log.querySelector(`[data-turn="${state.turn}"]`);
  if (item) {
    item.setAttribute("aria-current", "true");
    scrollIntoView(item);
  }
  for (const link of document.querySelectorAll("#tools [data-keep]")) {
    const url = new URL(link.href);
    for (const name of ["turn", "board", "answers", "text"]) url.searchParams.delete(name);
    if (!atLatest()) url.searchParams.set("turn", state.turn);
    else for (const [name, value] of state.answers) if (name !== "ask") url.searchParams.set(name, value);
    link.href = url;
  }
  for (const link of document.querySelectorAll("#tools [data-of-turn]")) {
    link.search = atLatest() ? "" : `?turn=${state.turn}&takebacks=${takebacks()}`;
  }
}

// Marks the displayed turn in the chart of the analysis; the arrow keys move the focus with it.
function markInChart() {
  const chart = document.getElementById("chances");
  if (!chart) return;
  const hasFocus = chart.contains(document.activeElement);
  for (const link of chart.querySelectorAll("a")) {
    const isShown = Number(link.dataset.turn) === state.turn;
    link.toggleAttribute("aria-current", isShown);
    link.setAttribute("tabindex", isShown ? "0" : "-1");
    if (isShown) link.setAttribute("aria-current", "true");
    if (isShown && hasFocus) link.focus({ preventScroll: true });
  }
}

// Scrolls the turn list alone; Element.scrollIntoView would scroll the page too.
function scrollIntoView(item) {
  const top = item.offsetTop - scroll.offsetTop;
  if (top < scroll.scrollTop || top + item.offsetHeight > scroll.scrollTop + scroll.clientHeight) {
    scroll.scrollTop = top - scroll.clientHeight / 2;
  }
}

// `showTurnOfSeat` loads the displayed turn with the controls of the seat; pages of spectators never call it.
export function initReplay(showTurnOfSeat) {
  showSeat = showTurnOfSeat;
  slider.hidden = false;
  slider.addEventListener("input", () => showTurn(Number(slider.value)));
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = event.target.closest("[data-step], #log [data-turn], #game-analysis [data-turn]");
    if (!link) return;
    event.preventDefault();
    if (link.dataset.step) goTo(link.dataset.step);
    else showTurn(Number(link.dataset.turn));
    if (link.closest("#game-analysis")) document.getElementById("board").scrollIntoView({ block: "nearest" });
  });
  initPagingKeys(goTo);
  // Opening a <details> element can shrink the turn list; scroll the current turn into view again.
  document.addEventListener("toggle", updateControls, true);
  // The address that named the latest turn by its number would name an earlier one after the next turn.
  if (atLatest() && new URLSearchParams(location.search).has("turn")) updateAddress();
}
