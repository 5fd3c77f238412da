// Live updates of the match through server-sent events. After a lost connection the browser reconnects with the
// version that it has, and the server sends everything since then as one event.
import { replaceParts } from "./fragments.js";
import { updateControls } from "./replay.js";
import { reload } from "./seat.js";
import { announce, atLatest, showToast, state, texts } from "./state.js";

const RECONNECT_MILLISECONDS = 5000;

let stream = null;
let isDisconnected = false;
// Whether the server has said that it ends this stream because too many are open; the browser then asks again.
let isPolling = false;

function open() {
  isPolling = false;
  const query = new URLSearchParams({ after: state.version, side: state.side, theme: state.theme });
  stream = new EventSource(`/m/${document.getElementById("match").dataset.match}/events?${query}`);
  stream.addEventListener("open", () => {
    if (isDisconnected) showToast(texts.back);
    isDisconnected = false;
  });
  stream.addEventListener("poll", () => { isPolling = true; });
  stream.addEventListener("error", () => {
    const isExpected = isPolling && stream.readyState === EventSource.CONNECTING;
    isPolling = false;
    if (isExpected) return;
    // A closed stream was answered with an error: the connection works, but not the server behind it.
    const isAnswered = stream.readyState === EventSource.CLOSED && navigator.onLine;
    if (!isDisconnected) showToast(isAnswered ? texts.busy : texts.lost, true);
    isDisconnected = true;
    if (stream.readyState === EventSource.CLOSED) setTimeout(reopen, RECONNECT_MILLISECONDS);
  });
  stream.addEventListener("update", (event) => applyEvent(event.lastEventId, JSON.parse(event.data)));
}

function reopen() {
  if (stream) stream.close();
  stream = null;
  if (!document.hidden) open();
}

function applyEvent(version, update) {
  const wasAtLatest = atLatest();
  if (update.reload || update.started !== state.started) {
    location.reload();
    return;
  }
  const isNewTurn = update.last > state.last;
  state.version = version;
  state.last = update.last;
  updateTurnList(update.turns);
  replaceParts(update.players);
  if (wasAtLatest) {
    state.turn = state.last;
    if (!state.seated) replaceParts(update.board);
  } else if (isNewTurn) {
    document.querySelector('#replay-controls [data-step="latest"]').classList.add("fresh");
    showToast(texts.new);
  }
  updateControls();
  if (state.seated && wasAtLatest) reload();
  const status = document.getElementById("status").textContent;
  announce(isNewTurn ? `${document.getElementById("log").lastElementChild.textContent}. ${status}` : status);
}

// Adds the turns to the list, or replaces the ones that it has.
function updateTurnList(turns) {
  const log = document.getElementById("log");
  for (const [number, markup] of turns) {
    const item = new DOMParser().parseFromString(`<ol>${markup}</ol>`, "text/html").querySelector("li");
    const old = document.getElementById(`t${number}`);
    if (old) old.replaceWith(item);
    else log.append(item);
  }
}

export function subscribe() {
  open();
  // A hidden page keeps no connection; when it is shown again, it receives everything that it missed.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && stream) {
      stream.close();
      stream = null;
    } else if (!document.hidden && !stream) {
      open();
    }
  });
}
