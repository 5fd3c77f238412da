// The page of a challenge: its link to copy or share, and for the challenger the way to the board once it is accepted.
import { initCopy } from "./copy.js";
import { formatTimes } from "./times.js";

const [SHOWN, HIDDEN] = [4000, 20_000];
const page = document.getElementById("challenge");
const copied = document.getElementById("copied");

if (copied) initCopy((isCopied) => { copied.textContent = isCopied ? copied.dataset.text : copied.dataset.failed; });
for (const button of document.querySelectorAll("[data-share]")) {
  if (!navigator.canShare?.({ url: button.dataset.share })) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.share({ title: document.title, text: button.dataset.text, url: button.dataset.share }).catch(() => {});
  });
}
formatTimes();

async function ask() {
  try {
    const response = await fetch(page.dataset.poll, { credentials: "same-origin" });
    const { state, board, opened } = await response.json();
    if (board) return location.replace(board);
    if (state !== "open") return location.reload();
    const line = document.getElementById("opened");
    if (opened && line.textContent !== opened) line.textContent = opened;
  } catch {
    // Offline: the next time tells.
  }
  setTimeout(ask, document.hidden ? HIDDEN : SHOWN);
}

if (page.dataset.poll) setTimeout(ask, SHOWN);
