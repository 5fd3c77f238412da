// The board of a match inside another website: pages through the turns and shows new ones without a reload. It asks
// now and then instead of keeping a stream of events, because a page may hold many frames. No request sends cookies.
import { animateFrom, readPieces } from "./animate.js";

const POLL_MILLISECONDS = 15_000;
let controller = new AbortController();
let timer;

const main = () => document.getElementById("main");
const step = (name) => main().querySelector(`[data-step="${name}"]`);

// Replaces the content by that of another turn's page; does nothing without an answer.
async function show(url) {
  controller.abort();
  controller = new AbortController();
  const markup = await load(url, controller.signal);
  if (!markup) return;
  const content = new DOMParser().parseFromString(markup, "text/html").getElementById("main");
  const pieces = readPieces();
  const focused = document.activeElement?.dataset.step;
  main().replaceWith(content);
  if (focused) step(focused).focus({ preventScroll: true });
  animateFrom(pieces);
  const texts = ["caption", "status"].map((id) => document.getElementById(id)?.textContent.trim() ?? "");
  document.getElementById("live-region").textContent = texts.join(" ");
}

async function load(url, signal) {
  try {
    const response = await fetch(url, { credentials: "omit", signal });
    return response.ok ? await response.text() : "";
  } catch {
    return "";
  }
}

async function poll() {
  clearTimeout(timer);
  const { match, version } = main().dataset;
  const news = document.hidden ? "" : await load(`/news?match=${match}`, undefined);
  const checksum = news && JSON.parse(news)[match];
  if (checksum && main().dataset.version === version && !version.endsWith(checksum)) {
    // Nobody is taken away from the turn that they look at.
    if (step("latest").hasAttribute("aria-disabled")) await show(step("latest").href);
    else step("latest").classList.add("fresh");
  }
  schedule();
}

function schedule() {
  clearTimeout(timer);
  if (main().dataset.live === "yes") timer = setTimeout(poll, POLL_MILLISECONDS * (0.75 + Math.random() / 2));
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  if (!link.hasAttribute("aria-disabled")) show(link.href);
});
document.addEventListener("keydown", (event) => {
  const name = { ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "latest" }[event.key];
  if (!name || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  step(name).click();
});
document.addEventListener("visibilitychange", poll);
schedule();
