// The page of a match. Without this script it can be read and even played; with it, it lives.
import { watchBoard } from "./board.js";
import { watchNews } from "./live.js";
import { tellTimes } from "./parts.js";
import { watchPlay } from "./play.js";
import { sentences, show, state } from "./state.js";
import { watchSteps } from "./steps.js";

watchSteps();
watchBoard();
if (state.seated) watchPlay();
watchNews();
tellTimes();

const copy = document.getElementById("copy");
if (navigator.clipboard) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(copy.dataset.link);
    show(sentences.copied);
  });
}
