// Hints: the browser looks for a good turn itself, and the server shows it on the board. Nothing is played.
import { announce, showToast, texts } from "./state.js";

// The turn that was found, and the board for which.
let hint = null;

const button = () => document.getElementById("hint-button");
const board = () => document.getElementById("seat-controls").dataset.board;

// Returns the turn to show on the board of the seat; empty without a hint for it.
export function currentHint() {
  return hint?.board === board() ? hint.turn : "";
}

// `show` loads the seat's parts with the hint.
export function initHint(show) {
  document.addEventListener("click", async (event) => {
    const asked = event.target.closest?.("#hint-button");
    if (!asked || asked.getAttribute("aria-disabled") === "true") return;
    asked.setAttribute("aria-disabled", "true");
    asked.textContent = texts.hintSearch;
    const searched = board();
    const turn = await search(JSON.parse(asked.dataset.search), Number(searched));
    if (board() !== searched) return; // it has changed meanwhile
    if (turn) {
      hint = { board: searched, turn };
      await show();
    } else {
      showToast(texts.hintFailed);
      announce(texts.hintFailed);
    }
    button()?.removeAttribute("aria-disabled");
    if (button()) button().textContent = texts.hint;
  });
}

// The `seed` differs from board to board, so that hints do not lead around in a circle for ever.
function search(asked, seed) {
  const worker = new Worker(new URL("./hint-worker.js", import.meta.url));
  return new Promise((resolve) => {
    worker.addEventListener("message", ({ data }) => resolve(data));
    worker.addEventListener("error", () => resolve(""));
    worker.postMessage({ ...asked, seed });
  }).finally(() => worker.terminate());
}
