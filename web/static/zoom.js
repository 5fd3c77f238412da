// Boards whose cells are too small for a finger: the first tap enlarges the board around the cell, the second chooses.
// The cell that was tapped stays under the finger, which can also push the board. The coordinates go along at two edges
// of what is in view. The next board is whole again.
const MIN_CELL_PIXELS = 24;
const LARGE_CELL_PIXELS = 44;
const LABEL_PIXELS = 14;
const MILLISECONDS = 140;
const calm = matchMedia("(prefers-reduced-motion: reduce)");

let isTouch = false;
// The whole view of the enlarged board, as x, y, width and height, the finger that pushes it, and its coordinates: the
// letters of the files, at the lower edge if `isLow`, and the numbers of the ranks, of `size`.
let whole = null;
let push = null;
let labels = null;

const viewOf = (svg) => svg.getAttribute("viewBox").split(" ").map(Number);

function setView(svg, view) {
  svg.setAttribute("viewBox", view.join(" "));
  const [x, y, , height] = view;
  labels.files.setAttribute("transform", `translate(0 ${labels.isLow ? y + height - labels.size / 2 : y + labels.size})`);
  labels.ranks.setAttribute("transform", `translate(${x + labels.size} 0)`);
}

function addLabels(svg, size, isLow) {
  labels = { size, isLow };
  for (const [name, axis, pattern] of [["files", "x", /^\D+/], ["ranks", "y", /\d+$/]]) {
    const group = document.createElementNS(svg.namespaceURI, "g");
    const at = new Map();
    for (const cell of svg.querySelectorAll(".cells [data-cell]")) {
      const square = cell.querySelector("rect") ?? cell;
      at.set(cell.dataset.cell.match(pattern)[0], Number(square.getAttribute(axis)) + Number(square.getAttribute("width")) / 2);
    }
    for (const [text, middle] of at) {
      const label = document.createElementNS(svg.namespaceURI, "text");
      label.textContent = text;
      label.setAttribute(axis, axis === "x" ? middle : middle + size / 3);
      group.append(label);
    }
    group.setAttribute("class", "edge-labels");
    group.setAttribute("font-size", size);
    group.setAttribute("aria-hidden", "true");
    labels[name] = group;
    svg.append(group);
  }
}

// Returns the board that can be chosen on and is under an element, or null.
function boardAt(element) {
  const svg = element.closest?.(".board svg");
  return svg?.querySelector(".cells .open, .cells .switch") ? svg : null;
}

function enlarge(svg, event) {
  const factor = LARGE_CELL_PIXELS / svg.querySelector(".cells rect").getBoundingClientRect().width;
  const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  whole = viewOf(svg);
  const [x, y, width, height] = whole;
  svg.classList.add("enlarged");
  const box = svg.getBoundingClientRect();
  const isUpper = event.clientY < box.top + box.height / 2;
  addLabels(svg, LABEL_PIXELS * (width / box.width) / factor, !isUpper);
  move(svg, [point.x - (point.x - x) / factor, point.y - (point.y - y) / factor, width / factor, height / factor]);
  addButton(svg, isUpper);
}

function addButton(svg, isLow) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = isLow ? "whole-board low" : "whole-board";
  button.textContent = document.getElementById("texts").dataset.wholeBoard;
  button.addEventListener("click", () => {
    svg.classList.remove("enlarged");
    for (const one of svg.querySelectorAll(".edge-labels")) one.remove();
    move(svg, whole);
    button.remove();
  });
  svg.parentElement.append(button);
}

// Moves the view of a board in a moment, or at once for those who want no motion.
function move(svg, to) {
  const from = viewOf(svg);
  const start = performance.now();
  const step = (now) => {
    const done = calm.matches ? 1 : Math.min(1, Math.max(0, now - start) / MILLISECONDS);
    setView(svg, from.map((value, index) => value + (to[index] - value) * done));
    if (done < 1) requestAnimationFrame(step);
  };
  step(start);
}

function pushBoard(event) {
  const svg = push.svg;
  const [x, y, width, height] = viewOf(svg);
  const scale = svg.getScreenCTM().a;
  const keepIn = (value, low, high) => Math.min(Math.max(value, low), high);
  const left = keepIn(x - (event.clientX - push.x) / scale, whole[0], whole[0] + whole[2] - width);
  const top = keepIn(y - (event.clientY - push.y) / scale, whole[1], whole[1] + whole[3] - height);
  setView(svg, [left, top, width, height]);
  push = { ...push, x: event.clientX, y: event.clientY };
}

export function initZoom() {
  document.addEventListener("pointerdown", (event) => {
    isTouch = event.pointerType === "touch";
    const svg = event.isPrimary && !event.target.closest?.(".draggable") && event.target.closest?.("svg.enlarged");
    push = svg ? { svg, id: event.pointerId, x: event.clientX, y: event.clientY } : null;
  });
  document.addEventListener("pointermove", (event) => {
    if (push?.id === event.pointerId) pushBoard(event);
  });
  // Otherwise the browser takes the push for a fling of the page, and a tap right after it only ends that.
  document.addEventListener("touchmove", (event) => {
    if (push && event.cancelable) event.preventDefault();
  }, { passive: false });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => { push = null; });
  document.addEventListener("click", (event) => {
    const svg = isTouch && event.detail > 0 && boardAt(event.target);
    if (!svg || svg.matches(".enlarged")) return;
    if (svg.querySelector(".cells rect").getBoundingClientRect().width >= MIN_CELL_PIXELS) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    enlarge(svg, event);
  }, true);
}
