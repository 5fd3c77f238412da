// Shows the piece that the player would put on a cell: faint while the pointer or the focus is there, and at once when
// the cell is chosen, before the server has answered. A chosen cell without such a piece is lit.

let shown = null;

function show(cell, isChosen = false) {
  hide();
  if (!cell) return;
  cell.classList.toggle("chosen", isChosen);
  const svg = cell.ownerSVGElement;
  const { placed } = svg.querySelector(".cells").dataset;
  const square = cell.querySelector("rect");
  const [x, y] = ["x", "y"].map((name) => Number(square.getAttribute(name)) + Number(square.getAttribute("width")) / 2);
  if (!placed || svg.querySelector(`.piece[x="${x}"][y="${y}"]`)) return;
  cell.classList.add("empty");
  shown = document.createElementNS(svg.namespaceURI, "use");
  for (const [name, value] of Object.entries({ href: `#${placed}`, x, y, class: "placed", "aria-hidden": "true" })) {
    shown.setAttribute(name, value);
  }
  shown.classList.toggle("chosen", isChosen);
  svg.insertBefore(shown, svg.querySelector(".cells"));
}

function hide() {
  shown?.remove();
  shown = null;
  for (const cell of document.querySelectorAll(".cells :is(.chosen, .empty)")) cell.classList.remove("chosen", "empty");
}

const isWaiting = () => Boolean(document.querySelector(".board .chosen"));

export function initPlacing() {
  document.addEventListener("pointerover", (event) => {
    if (event.pointerType === "mouse" && !isWaiting()) show(event.target.closest?.(".cells .open"));
  });
  document.addEventListener("focusin", (event) => {
    if (!isWaiting() && event.target.matches(".cells :focus-visible")) show(event.target);
  });
  document.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    const cell = event.target.closest?.(".cells .open");
    if (cell) show(cell, true);
  });
  // The answer has not come, so nothing is chosen.
  document.addEventListener("board:unchanged", hide);
}
