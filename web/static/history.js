// The address of the page, and the browser's history. Each step of a turn that is being entered has an entry of its own,
// so that the browser's Back goes back one step. Once nothing is entered any more, these entries are left, and Back
// leaves the page.
import { atLatest, pageUrl, state } from "./state.js";

// How many steps of the browser's history this turn has taken.
const depth = () => history.state?.depth ?? 0;
const address = () => pageUrl(state.chosen, atLatest() ? state.answers : {});

// The way back in the browser's history that is under way.
let traversal = null;
let isReloading = false;

// Lets the address name what the page shows, as a further step of the turn or in place of the address before.
export async function updateAddress({ isStep = false } = {}) {
  if (traversal) await traversal.end;
  if (isReloading) return;
  const isEntered = state.answers.toString() !== "";
  if (isStep && isEntered) history.pushState({ depth: depth() + 1 }, "", address());
  else if (!isEntered && depth() > 0) goBack(depth(), true);
  else history.replaceState(history.state, "", address());
}

// Goes back one step of the turn; returns whether there is one.
export function stepBack() {
  if (!traversal && depth() === 0) return false;
  goBack(1, false);
  return true;
}

// With `isSilent` the page already shows what the entry leads to.
function goBack(steps, isSilent) {
  if (traversal) return;
  traversal = { isSilent };
  traversal.end = new Promise((resolve) => { traversal.resolve = resolve; });
  history.go(-steps);
}

// Loads the page again. A reload and a way back in the history would end each other.
export async function reloadPage() {
  isReloading = true;
  if (traversal) await traversal.end;
  location.reload();
}

// `show` shows what the address says, after the visitor went back or forward.
export function initHistory(show) {
  window.addEventListener("popstate", () => {
    const ended = traversal;
    traversal = null;
    ended?.resolve();
    if (isReloading) return;
    if (ended?.isSilent) updateAddress();
    else show();
  });
}
