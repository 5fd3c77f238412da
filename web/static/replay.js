// Paging through the turns with buttons, slider, list and arrow keys, without a reload.
import { fetchPart } from "./fragments.js";
import { initPagingKeys } from "./paging.js";
import { isPending, playPending } from "./pending.js";
import { announce, atLatest, pageUrl, state, takebacks, textOf } from "./state.js";

const controls = document.getElementById("replay-controls");
const slider = document.getElementById("slider");
const log = document.getElementById("log");
const scroll = document.getElementById("scroll");

let isLoading = false;
// Loads the latest board of a seat.
let showSeat = null;

// Shows a turn. Of several requested while a board loads, only the last one is loaded next.
export async function showTurn(turn) {
  if (isPending() && !(await playPending())) {
    updateControls();
    return;
  }
  state.turn = Math.max(0, Math.min(turn, state.last));
  state.choices += 1;
  updateControls();
  // At once: a step that is taken while a board loads must not follow the address of another board in the history.
  history.replaceState(history.state, "", atLatest() ? pageUrl(null, state.seated ? state.answers : {}) : pageUrl(state.turn));
  if (isLoading) return;
  isLoading = true;
  let shown = null;
  while (shown !== state.turn) {
    shown = state.turn;
    const isSeat = shown === state.last && state.seated;
    const part = state.seated ? "seat" : "board";
    if (!(await (isSeat ? showSeat() : fetchPart(pageUrl(shown, { part }))))) break;
  }
  isLoading = false;
  announce(textOf("caption"));
}

export function goTo(name) {
  const turns = { first: 0, back: state.turn - 1, forward: state.turn + 1, latest: state.last };
  const turn = Math.max(0, Math.min(turns[name], state.last));
  if (turn !== state.turn || name === "latest") showTurn(turn);
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

// `showLatest` loads the latest board with the controls of the seat; pages of spectators never call it.
export function initReplay(showLatest) {
  showSeat = showLatest;
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
}
