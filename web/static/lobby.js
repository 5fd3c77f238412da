// The lobby keeps up while it is in view. What is there stays where it is: a challenge that is no longer open loses its
// button only, and new ones come at the end.
const INTERVAL = 30_000;
const lobby = document.getElementById("lobby");
const list = document.getElementById("challenges");
const numberOf = (item) => Number(item.id.replace("challenge-", ""));

let askedAt = Date.now();
let timer = null;

async function ask() {
  askedAt = Date.now();
  try {
    const response = await fetch(lobby.dataset.part, { credentials: "same-origin" });
    if (response.ok) apply(new DOMParser().parseFromString(await response.text(), "text/html").getElementById("challenges"));
  } catch {
    // Offline: the next time tells.
  }
  plan();
}

function apply(latest) {
  if (!latest) return;
  const open = new Map([...latest.children].map((item) => [item.id, item]));
  // Challenges on later pages are not in the answer, and may still be open.
  const first = latest.dataset.more ? Math.min(...[...open.values()].map(numberOf)) : 0;
  for (const item of list.children) {
    if (open.delete(item.id) || item.classList.contains("gone") || numberOf(item) < first) continue;
    close(item);
  }
  // After the end of a full page follow older ones.
  const added = list.dataset.more ? [...open.values()].filter((item) => numberOf(item) > newest()) : [...open.values()];
  list.append(...added.reverse());
  document.getElementById("none").hidden = list.children.length > 0;
  if (added.length) document.getElementById("news").textContent = lobby.dataset.new;
}

const newest = () => Math.max(0, ...[...list.children].map(numberOf));

function close(item) {
  const state = document.createElement("span");
  state.className = "state";
  state.textContent = lobby.dataset.gone;
  item.classList.add("gone");
  item.querySelector("form, .state")?.replaceWith(state);
}

function plan() {
  clearTimeout(timer);
  if (!document.hidden) timer = setTimeout(ask, Math.max(0, askedAt + INTERVAL - Date.now()));
}

document.addEventListener("visibilitychange", plan);
plan();
