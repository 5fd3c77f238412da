// The analysis of a finished game by the computer: while it is refined, the newest result is fetched now and then.
import { replaceParts } from "./fragments.js";
import { updateControls } from "./replay.js";
import { state } from "./state.js";

const WAIT_MILLISECONDS = 1500;
const REFINE_MILLISECONDS = 6000;

const section = () => document.getElementById("game-analysis");

async function load() {
  const response = await fetch(`/m/${state.match}/computer-analysis?side=${state.side}`, { credentials: "same-origin" });
  if (!response.ok) return;
  const path = section().dataset.path;
  replaceParts(await response.text());
  // The form of a seat's page belongs to its player.
  section().dataset.path = path;
  const form = section().querySelector("form");
  if (form) form.action = `${path}/computer-analysis`;
  updateControls();
}

function waitForMore() {
  const status = section().dataset.status;
  if (status !== "waiting" && status !== "refining") return;
  setTimeout(async () => {
    if (!document.hidden) await load().catch(() => {});
    waitForMore();
  }, status === "waiting" ? WAIT_MILLISECONDS : REFINE_MILLISECONDS);
}

// Shows the button once the match is over.
export function offerGameAnalysis() {
  if (section().hidden) load().catch(() => {});
}

export function initGameAnalysis() {
  waitForMore();
}
