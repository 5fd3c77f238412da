// Entry point of the page of a match. The page can be read and played without scripts; they add live updates,
// playing and paging without a reload, and keyboard control.
import { initBoard } from "./board.js";
import { initClocks } from "./clock.js";
import { initCopy } from "./copy.js";
import { subscribe } from "./events.js";
import { initGameAnalysis } from "./game-analysis.js";
import { initNote } from "./note.js";
import { initPlacing } from "./placing.js";
import { initPreferences } from "./preferences.js";
import { initReplay, updateControls } from "./replay.js";
import { initSeat, showSeat } from "./seat.js";
import { allowNotifications, initSignals, playSound } from "./signals.js";
import { showToast, state, texts } from "./state.js";
import { formatTimes } from "./times.js";
import { initZoom } from "./zoom.js";

initReplay(showSeat);
initBoard(() => state.answers.get("answers")?.split(".").pop());
if (state.seated) {
  initSeat();
  initPlacing();
  initZoom();
}
initPreferences({ notify: allowNotifications, sound: playSound });
initSignals();
updateControls();
subscribe();
formatTimes();
initClocks();
initCopy((isCopied) => showToast(isCopied ? texts.copied : texts.notCopied));
initNote();
initGameAnalysis();
