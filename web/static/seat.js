// The controls of a seat: links and forms are sent with fetch, and only the changed parts of the page are replaced.
import { makeReachable } from "./board.js";
import { initDrag, markDraggable } from "./drag.js";
import { fetchPart, isLoading, isSubmitting } from "./fragments.js";
import { currentHint, initHint } from "./hint.js";
import { initHistory, stepBack, updateAddress } from "./history.js";
import { cancelPending, initPending, isPending, keepPending, playPending, startPending } from "./pending.js";
import { follow, showTurn, updateControls } from "./replay.js";
import { notify, notifyTurn, soundTurn } from "./signals.js";
import { announce, atLatest, pageUrl, sentences, state, textOf, texts, turnsAhead } from "./state.js";

const QUERY_FIELDS = ["board", "answers", "text", "take", "ticked", "then", "ask"];
const icon = document.querySelector('link[rel="icon"]');
const plainIcon = icon.href;

const controls = () => document.getElementById("seat-controls");

// While the computer thinks for so long, the page asks again: perhaps it cannot play.
const THINKING_MILLISECONDS = 20_000;
const RETRY_MILLISECONDS = 5000;

let thinkingTimer = null;
let isRefreshWanted = false;
let knownRematch = controls()?.dataset.rematch;

// Loads the seat's parts after a change that the server has announced, unless they already show it. Never aborts what
// the player does: then the parts are loaded afterwards.
export async function refresh() {
  if (!isLoading() && controls().dataset.version === state.version) return;
  isRefreshWanted = true; // until it is done: a click of the player aborts it
  if (!isLoading()) await loadSeat(state.answers, { isBackground: true });
}

let unseen = false;

// Tells the server that the player sees what is new, so that no mail or push tells it: at once, or when a page that was
// hidden is shown again.
export function markSeen(event) {
  unseen ||= event?.type !== "visibilitychange";
  if (!unseen || document.hidden) return;
  unseen = false;
  fetch(`${state.path}/seen`, { method: "POST", keepalive: true }).catch(() => { unseen = true; });
}

// Shows the displayed turn; the latest one with the turn that is being entered.
export function showSeat() {
  return loadSeat(state.answers);
}

// Loads the seat's parts at `turn` (null: the latest).
async function loadSeat(query, { turn = state.chosen, isStep = false, ...options } = {}) {
  if (!options.isBackground) cancelPending();
  const url = seatUrl(turn);
  if (turn === null) {
    for (const [name, value] of query) if (QUERY_FIELDS.includes(name)) url.searchParams.append(name, value);
    if (currentHint()) url.searchParams.set("hint", currentHint());
  }
  return update(url, options, isStep);
}

// Returns the URL of the seat's parts. They come with the turns that the page does not have yet.
function seatUrl(turn) {
  return new URL(pageUrl(turn, { part: "seat", after: state.version }), location.href);
}

async function update(url, options, isStep = false) {
  const shown = document.getElementById("board").dataset.turn;
  const result = textOf("own-result");
  const { chosen } = state;
  if (options.isBackground) rememberControls();
  const isReplaced = await fetchPart(url, options);
  if (isReplaced) {
    isRefreshWanted &&= !options.isBackground;
    afterUpdate(shown, state.chosen === chosen, result);
    await updateAddress({ isStep });
  }
  if (isRefreshWanted && !isLoading()) {
    isRefreshWanted = false;
    if (isReplaced || !options.isBackground) refresh();
    else setTimeout(refresh, RETRY_MILLISECONDS);
  }
  return isReplaced;
}

function watchThinking() {
  clearTimeout(thinkingTimer);
  if (!document.querySelector("#seat-controls .thinking")) return;
  thinkingTimer = setTimeout(() => {
    if (!isLoading() && !isSubmitting() && atLatest()) loadSeat(state.answers, { isBackground: true });
    else watchThinking();
  }, THINKING_MILLISECONDS);
}

// `shown` and `resultBefore` are the turn and the result that were displayed before. With `isFollowing` the player has
// not chosen another turn since the request began.
function afterUpdate(shown, isFollowing, resultBefore) {
  const board = document.getElementById("board");
  const { version, query, flip, awaited, rematch } = controls().dataset;
  const isLatest = board.dataset.turn === board.dataset.last;
  if (isFollowing) state.chosen = isLatest ? null : Number(board.dataset.turn);
  if (turnsAhead(version) > 0) {
    const turns = document.getElementById("new-turns");
    follow(version, Number(turns.dataset.since), turns.innerHTML);
  }
  if (isLatest) state.answers = new URLSearchParams(query);
  if (!document.activeElement?.closest(".cells")) makeReachable();
  markDraggable();
  watchThinking();
  keepPending();
  document.querySelector('#tools [data-keep="flip"]').href = flip; // a turn can swap the sides of the players
  updateControls();
  const said = textOf("notice") || sentences(textOf("declined"), textOf("hint-turn"), textOf("hint-reason"), textOf("question") || textOf("thinking") || textOf("status"));
  const result = textOf("own-result");
  const isNewResult = result !== resultBefore;
  document.getElementById("own-result").classList.toggle("fresh", isNewResult);
  announce(sentences(board.dataset.turn === shown ? "" : textOf("caption"), isNewResult ? result : "", said));
  updateTitle();
  soundTurn();
  if (awaited === "yes") notifyTurn(textOf(isLatest ? "caption" : "status"));
  if (rematch !== knownRematch && document.hidden) {
    document.title = `● ${document.title}`;
    notify(textOf("question"));
  }
  knownRematch = rematch;
}

// Shows what the address says, after the player went back or forward in the browser's history. The steps of a turn that
// can no longer be entered lead to the latest board.
function showAddress() {
  if (location.pathname !== state.path) return;
  const query = new URLSearchParams(location.search);
  const isStale = query.has("board") && query.get("board") !== controls().dataset.board;
  const turn = query.get("turn");
  for (const name of [...query.keys()]) if (isStale || !QUERY_FIELDS.includes(name)) query.delete(name);
  if (turn !== null && Number(turn) < state.last) showTurn(Number(turn));
  else if (query.toString() !== state.answers.toString() || !atLatest()) loadSeat(query, { turn: null });
  else updateAddress();
}

// Marks the title and the icon when it is the player's turn, for tabs in the background.
export function updateTitle() {
  const isAwaited = controls().dataset.awaited === "yes";
  const title = document.title.replace(`● ${texts.yourTurn} · `, "").replace("● ", "");
  document.title = isAwaited ? `● ${texts.yourTurn} · ${title}` : title;
  const href = isAwaited ? texts.turnIcon : plainIcon;
  if (icon.getAttribute("href") !== href) icon.href = href;
}

// Loads the question that a link leads to.
function followLink(link) {
  const isStep = link.dataset.answer !== "back" && !link.matches(".instead");
  return answer(new URL(link.getAttribute("href"), location.href).searchParams, isStep);
}

// Loads what follows from the answers in `query`. If that is a whole turn, and nothing in it but what the player has
// chosen (no forced step, no typed text), it can be played at once.
async function answer(query, isStep) {
  const isReplaced = await loadSeat(query, { turn: null, isStep });
  const chosen = [query.get("answers"), query.get("then")].filter(Boolean).join(".");
  const isChosen = query.has("ticked") || (!query.has("text") && state.answers.get("answers") === chosen);
  if (isReplaced && isChosen) startPending();
  return isReplaced;
}

// Sends a form; a turn also while the page is closed. The answer shows the latest board.
function send(form, submitter) {
  const body = new URLSearchParams(new FormData(form, submitter));
  const url = seatUrl(null);
  url.pathname = new URL(form.action).pathname;
  return update(url, { method: "POST", body, keepalive: true });
}

export function initSeat() {
  initClickGuard();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) updateTitle(); });
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const link = event.target.closest(".cells a, #seat-controls a[data-answer]");
    if (!link) return;
    event.preventDefault();
    if (isSubmitting()) return;
    cancelPending();
    if (link.dataset.answer !== "back" || !stepBack()) followLink(link);
  });
  initDrag((link) => (isSubmitting() ? Promise.resolve(false) : followLink(link)));
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("#seat-controls")) return;
    // Signing out and a rematch lead to another page.
    if (/\/(lock|rematch)$/.test(new URL(form.action).pathname)) return;
    event.preventDefault();
    if (isSubmitting()) return;
    if (form.method === "get") answer(new URLSearchParams(new FormData(form, event.submitter)), true);
    else if (form.id === "confirm" && isPending()) playPending();
    else send(form, event.submitter);
  });
  document.addEventListener("keydown", (event) => {
    const isField = event.target.matches("input[type=text], select");
    if (event.key === "Escape" && !isField) document.querySelector('#seat-controls [data-answer="back"]')?.click();
    // A key that is held down does not answer the next question too.
    const isActivation = event.key === "Enter" || event.key === " ";
    if (event.repeat && isActivation && event.target.closest(".cells, #seat-controls")) event.preventDefault();
  });
  initHistory(showAddress);
  initPending(send);
  initHint(() => loadSeat(state.answers));
  state.answers = new URLSearchParams(controls().dataset.query);
  makeReachable();
  markDraggable();
  watchThinking();
  updateTitle();
}

// Clicks that were meant for something else do nothing: the second one of a double click, if the first has put
// another control under the pointer, and one right after a change by the server has.
const GUARD_MILLISECONDS = 600;
const GUARD_PIXELS = 16;
let lastClick = { time: -Infinity };
let before = { time: -Infinity, controls: [] };

const controlAt = (element) => element.closest?.("main :is(a, button, summary, label), .cells a");
const nameOf = (control) => control.dataset.cell ?? `${control.tagName} ${control.textContent.trim()}`;

function rememberControls() {
  const found = [...document.querySelectorAll("main :is(a, button, summary, label)")];
  before = { time: performance.now(), controls: found.map((one) => [one.getBoundingClientRect(), nameOf(one)]) };
}

function isMisdirected(event, control) {
  const { clientX: x, clientY: y } = event;
  const now = performance.now();
  const distance = Math.hypot(x - lastClick.x, y - lastClick.y);
  const isDouble = now - lastClick.time < GUARD_MILLISECONDS && distance < GUARD_PIXELS;
  if (isDouble && lastClick.name !== nameOf(control) && (lastClick.isPanel || !control.dataset.cell)) return true;
  if (now - before.time > GUARD_MILLISECONDS) return false;
  const old = before.controls.find(([box]) => x >= box.left && x <= box.right && y >= box.top && y <= box.bottom);
  return Boolean(old) && old[1] !== nameOf(control);
}

function initClickGuard() {
  document.addEventListener("click", (event) => {
    const control = controlAt(event.target);
    if (event.detail === 0) return; // by keyboard
    if (control && isMisdirected(event, control)) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    const name = control ? nameOf(control) : "";
    const isPanel = Boolean(control) && !control.dataset.cell;
    if (control?.dataset.cell) before.time = -Infinity; // the player has seen the change
    lastClick = { time: performance.now(), x: event.clientX, y: event.clientY, name, isPanel };
  }, true);
}
