// Live updates of the match. A page that is shown has a stream of server-sent events; after a lost connection the
// browser reconnects with the version that it has, and the server sends everything since then as one event. A page
// that is hidden, or finds no free stream, asks now and then (news.js), and opens a stream only for what is new.
import { replaceParts } from "./fragments.js";
import { offerGameAnalysis } from "./game-analysis.js";
import { reloadPage } from "./history.js";
import { fetchNews, startNews, stopNews } from "./news.js";
import { follow, updateControls } from "./replay.js";
import { markSeen, refresh } from "./seat.js";
import { soundTurn } from "./signals.js";
import { announce, atLatest, sentences, setStandingNotice, showToast, state, textOf, texts, turnsAhead } from "./state.js";

const RECONNECT_MILLISECONDS = 5000;
// A browser keeps at most six connections to a host over HTTP/1.1, and needs some to load pages.
const MAX_STREAMS = 3;
const CATCH_UP_MILLISECONDS = 10_000;

let stream = null;
let releaseSlot = null;
let isDisconnected = false;
// Whether the server has said that it ends this stream because too many are open; the browser then asks again.
let isPolling = false;

function open() {
  isPolling = false;
  const query = new URLSearchParams({ after: state.version, side: state.side, theme: state.theme });
  const opened = new EventSource(`/m/${state.match}/events?${query}`);
  opened.addEventListener("update", (event) => applyEvent(event.lastEventId, JSON.parse(event.data)));
  return opened;
}

function openStream() {
  const opened = open();
  stream = opened;
  opened.addEventListener("open", () => setConnected(true));
  opened.addEventListener("ended", reloadPage);
  opened.addEventListener("poll", () => { isPolling = true; });
  opened.addEventListener("error", () => {
    if (stream !== opened) return;
    const isExpected = isPolling && opened.readyState === EventSource.CONNECTING;
    isPolling = false;
    if (isExpected) return;
    // A closed stream was answered with an error: the connection works, but not the server behind it.
    setConnected(false, opened.readyState === EventSource.CLOSED && navigator.onLine ? texts.busy : texts.lost);
    if (opened.readyState === EventSource.CLOSED) setTimeout(() => retry(opened), RECONNECT_MILLISECONDS);
  });
}

// Opens a stream again that was refused. If the match may not be seen any more, the page says so.
async function retry(refused) {
  if (stream !== refused) return;
  const news = await fetchNews([state.match]);
  if (stream !== refused) return;
  if (news && !(state.match in news)) reloadPage();
  else reopen();
}

function reopen() {
  stream?.close();
  openStream();
}

function setConnected(isConnected, reason = texts.lost) {
  if (isConnected === !isDisconnected) return;
  isDisconnected = !isConnected;
  setStandingNotice(isConnected ? "" : reason);
  if (isConnected) showToast(texts.back);
}

// Opens a stream until it has delivered what is new.
function catchUp() {
  if (stream) return;
  const opened = open();
  stream = opened;
  const end = () => {
    opened.close();
    if (stream === opened) stream = null;
  };
  opened.addEventListener("update", end);
  opened.addEventListener("error", end);
  setTimeout(end, CATCH_UP_MILLISECONDS);
}

async function applyEvent(version, update) {
  const ahead = turnsAhead(version);
  if (ahead < 0) return; // an answer to the player has told more
  if (update.started !== state.started) {
    reloadPage();
    return;
  }
  follow(version, update.since, update.turns.map(([, markup]) => markup).join(""));
  soundTurn();
  const said = ahead === Infinity ? texts.takenBack : ahead > 0 && !atLatest() ? texts.new : "";
  if (said) showToast(said);
  if (ahead > 0 && !atLatest()) document.querySelector('#replay-controls [data-step="latest"]').classList.add("fresh");
  if (!state.seated) {
    // The counts belong to the displayed board.
    const counts = [...document.querySelectorAll(".pieces")].map((one) => one.outerHTML).join("");
    replaceParts(update.players + (atLatest() ? update.board : counts));
  }
  updateControls();
  if (update.over) offerGameAnalysis();
  // The parts of the seat announce themselves.
  if (state.seated) {
    await refresh();
    markSeen();
  }
  if (said || !state.seated) announce(sentences(said, ahead > 0 && atLatest() ? textOf("caption") : "", textOf("status")));
}

// Returns the function that releases a stream's slot, or null if all are taken by other windows of this browser.
// Browsers have no locks on pages without encryption; there only the number of windows that are shown limits streams.
async function takeSlot() {
  if (!navigator.locks) return () => {};
  for (let slot = 0; slot < MAX_STREAMS; slot += 1) {
    const release = await new Promise((resolve) => {
      navigator.locks.request(`rayuela-stream-${slot}`, { ifAvailable: true }, (lock) => (
        lock ? new Promise((done) => resolve(done)) : resolve(null)
      ));
    });
    if (release) return release;
  }
  return null;
}

let changes = 0;

async function connect() {
  const change = ++changes;
  if (document.hidden && releaseSlot) {
    stream?.close();
    stream = null;
    releaseSlot();
    releaseSlot = null;
  }
  if (!document.hidden && !releaseSlot) {
    const release = await takeSlot();
    if (change !== changes) {
      release?.();
      return;
    }
    releaseSlot = release;
    if (release) reopen();
  }
  if (releaseSlot) {
    stopNews();
  } else if (!document.hidden || isAtSeat()) {
    startNews(catchUp, (isAnswered) => {
      if (isAnswered) setConnected(true);
      if (!document.hidden) connect();
    });
  } else {
    stopNews();
  }
}

// Only players are told of news while the page is hidden, until the match is over and no rematch can follow.
function isAtSeat() {
  return state.seated && document.getElementById("seat-controls").dataset.live === "yes";
}

export function subscribe() {
  connect();
  document.addEventListener("visibilitychange", connect);
  document.addEventListener("visibilitychange", markSeen);
  window.addEventListener("offline", () => setConnected(false));
  window.addEventListener("online", () => { if (releaseSlot) reopen(); });
}
