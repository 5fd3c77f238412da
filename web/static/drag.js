// Moves a piece by dragging it, with a mouse or a finger, as two clicks do: the first chooses the piece, the second the
// cell under it. On any other cell the piece goes back and stays chosen.
import { readPieces, skipAnimation } from "./animate.js";
import { showChanges } from "./board.js";
import { state } from "./state.js";

const MIN_PIXELS = 6;
const RETURN = { duration: 160, easing: "ease-out" };
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let drag = null;

// Marks the pieces that can be dragged: those that can be chosen, and the one that is chosen.
export function markDraggable() {
  const pieces = readPieces()?.pieces ?? [];
  const chosen = state.answers.get("answers")?.split(".").pop();
  for (const cell of document.querySelectorAll(".cells [data-cell]")) {
    const isChoosable = cell.matches(".open, .instead") || cell.dataset.cell === chosen;
    cell.classList.toggle("draggable", isChoosable && Boolean(pieceAt(cell, pieces)));
  }
}

function keepPage(event) {
  if (drag && event.cancelable) event.preventDefault();
}

function pieceAt(cell, pieces) {
  const square = cell.matches("rect") ? cell : cell.querySelector("rect");
  const [x, y, width, height] = ["x", "y", "width", "height"].map((name) => Number(square.getAttribute(name)));
  return pieces.find((one) => one.x > x && one.x < x + width && one.y > y && one.y < y + height);
}

// `follow` loads what a cell's link leads to, and resolves to whether it did.
export function initDrag(follow) {
  document.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest?.(".cells .draggable");
    if (drag || !cell || event.button !== 0 || !event.isPrimary) return;
    event.target.addEventListener("touchmove", keepPage, { passive: false });
    drag = { cell, name: cell.dataset.cell, id: event.pointerId, x: event.clientX, y: event.clientY };
  });
  document.addEventListener("pointermove", (event) => {
    if (drag?.id !== event.pointerId) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < MIN_PIXELS) return;
    if (!drag.ghost) begin(follow);
    showChanges(document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".cells .open"));
    place(drag.ghost, event.clientX - drag.x, event.clientY - drag.y);
  });
  document.addEventListener("pointerup", (event) => {
    if (drag?.id === event.pointerId) drop(follow, event.clientX, event.clientY);
  });
  document.addEventListener("pointercancel", (event) => {
    if (drag?.id === event.pointerId) cancel();
  });
  // A finger that moves a piece does not scroll the page. The listener is on the cell too, which leaves the page.
  document.addEventListener("touchmove", keepPage, { passive: false });
  document.addEventListener("dragstart", (event) => {
    if (event.target.closest?.(".cells")) event.preventDefault();
  });
}

// Lifts the piece and, if it is not chosen yet, chooses it, so that the board shows where it can go.
function begin(follow) {
  // The cell is about to be replaced; without this a finger's events would be lost with it.
  document.documentElement.setPointerCapture(drag.id);
  const { svg, pieces } = readPieces();
  drag.ghost = copyOf(svg, pieceAt(drag.cell, pieces), drag.cell);
  drag.chosen = drag.cell.matches(".open, .instead") ? follow(drag.cell) : Promise.resolve(true);
}

// Returns a picture of a piece that lies over the page where the piece is.
function copyOf(svg, piece, cell) {
  const scale = svg.getScreenCTM().a;
  const box = cell.getBoundingClientRect();
  const side = 2 * Math.max(box.width, box.height);
  const ghost = document.createElementNS(svg.namespaceURI, "svg");
  const look = piece.look.cloneNode(true);
  look.removeAttribute("id");
  ghost.append(look);
  ghost.setAttribute("class", "dragged");
  ghost.setAttribute("aria-hidden", "true");
  ghost.setAttribute("width", side);
  ghost.setAttribute("height", side);
  ghost.setAttribute("viewBox", [-side / 2, -side / 2, side, side].map((one) => one / scale).join(" "));
  const matrix = svg.getScreenCTM();
  ghost.style.left = `${piece.x * matrix.a + matrix.e - side / 2}px`;
  ghost.style.top = `${piece.y * matrix.d + matrix.f - side / 2}px`;
  document.body.append(ghost);
  return ghost;
}

function place(ghost, x, y) {
  ghost.style.transform = `translate(${x}px, ${y}px)`;
}

async function drop(follow, x, y) {
  const dropped = drag;
  if (!dropped.ghost) {
    drag = null;
    return;
  }
  ignoreClick();
  const isChosen = await dropped.chosen;
  const target = document.elementFromPoint(x, y)?.closest?.(".cells .open");
  if (isChosen && target && target.dataset.cell !== dropped.name) {
    skipAnimation();
    await follow(target);
    dropped.ghost.remove();
  } else if (isChosen && document.getElementById("confirm")) {
    dropped.ghost.remove(); // there was only one place to go, and the piece is there
  } else {
    goBack(dropped.ghost);
  }
  drag = null;
}

function cancel() {
  if (drag.ghost) goBack(drag.ghost);
  drag = null;
}

function goBack(ghost) {
  if (calm.matches) {
    ghost.remove();
    return;
  }
  const animation = ghost.animate([{ transform: ghost.style.transform }, { transform: "none" }], RETURN);
  animation.finished.catch(() => {}).then(() => ghost.remove());
}

// The click that the browser sends after the drag would choose the cell again.
function ignoreClick() {
  const stop = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  window.addEventListener("click", stop, { capture: true, once: true });
  setTimeout(() => window.removeEventListener("click", stop, { capture: true }));
}
