// State of the page (match, displayed turn, side at the bottom), messages to the user, and URLs of this page.
const page = document.getElementById("match");
const liveRegion = document.getElementById("live-region");
const toast = document.getElementById("toast");

export const state = {
  match: Number(page.dataset.match),
  path: page.dataset.path,
  side: page.dataset.side,
  defaultSide: page.dataset.defaultSide,
  theme: page.dataset.theme,
  // The match as the server has described it last, with the turns that are in the list: its last turn, how many
  // takebacks there were before it, and a checksum. Only follow() of replay.js changes it.
  version: page.dataset.version,
  get last() { return parseVersion(this.version).last; },
  // The earlier turn that the visitor has chosen to look at; null for the latest, whichever that is.
  chosen: page.dataset.turn === page.dataset.last ? null : Number(page.dataset.turn),
  get turn() { return this.chosen ?? this.last; },
  seated: page.dataset.seated === "yes",
  started: page.dataset.started === "yes",
  // The answers given so far in the move form, as query parameters of the seat's URL.
  answers: new URLSearchParams(),
};

export const texts = document.getElementById("texts").dataset;

export function atLatest() {
  return state.chosen === null;
}

function parseVersion(version) {
  const [last, takebacks] = version.split(".").map(Number);
  return { last, takebacks };
}

// Returns how many turns `version` is ahead of `other`; Infinity if moves were taken back in between, and a negative
// number if it is the older one.
export function turnsAhead(version, other = state.version) {
  const [one, two] = [parseVersion(version), parseVersion(other)];
  if (one.takebacks === two.takebacks) return one.last - two.last;
  return one.takebacks > two.takebacks ? Infinity : -Infinity;
}

// Returns the text of an element as one line; empty if there is no such element.
export function textOf(id) {
  return document.getElementById(id)?.textContent.replace(/\s+/g, " ").trim() ?? "";
}

// Joins texts as sentences.
export function sentences(...parts) {
  return parts.filter(Boolean).map((text) => (/[.!?:]$/.test(text) ? text : `${text}.`)).join(" ");
}

// Announces a text to screen readers. It is cleared first so that a repeated text is announced again.
export function announce(text) {
  liveRegion.textContent = "";
  requestAnimationFrame(() => { liveRegion.textContent = text; });
}

let hideTimer;
let standing = "";

// Shows a message for a while; afterwards the standing notice, if there is one, is shown again.
export function showToast(text) {
  clearTimeout(hideTimer);
  toast.textContent = text;
  toast.hidden = !text;
  hideTimer = setTimeout(() => setStandingNotice(standing), 4000);
}

// Shows a notice until it is replaced by another; an empty one hides it.
export function setStandingNotice(text) {
  clearTimeout(hideTimer);
  standing = text;
  toast.textContent = text;
  toast.hidden = !text;
}

// Returns how many takebacks there were before the displayed state of the match.
export function takebacks() {
  return parseVersion(state.version).takebacks;
}

// Returns the URL of this page, or of a part of it, at a turn (null: the latest).
// The board part names all that it depends on, so that browsers can keep it: side, theme, and how many takebacks
// there were, because after one the same turn is another board.
export function pageUrl(turn, more = {}) {
  const query = new URLSearchParams(more);
  if (turn !== null) query.set("turn", turn);
  if (state.side !== state.defaultSide || more.part === "board") query.set("side", state.side);
  if (more.part === "board") {
    query.set("theme", state.theme);
    query.set("takebacks", takebacks());
  }
  const text = query.toString();
  return text ? `${state.path}?${text}` : state.path;
}
