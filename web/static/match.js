// Entry point of the page of a match. The page can be read and played without scripts; they add live updates,
// playing and paging without a reload, and keyboard control.
import { initBoard } from "./board.js";
import { initClocks } from "./clock.js";
import { initCopy } from "./copy.js";
import { subscribe } from "./events.js";
import { formatTimes } from "./fragments.js";
import { initNote } from "./note.js";
import { initReplay, updateControls } from "./replay.js";
import { initSeat } from "./seat.js";
import { state } from "./state.js";

initReplay();
initBoard(() => state.answers.get("answers")?.split(".").pop());
if (state.seated) initSeat();
updateControls();
subscribe();
formatTimes();
initClocks();
initCopy();
initNote();
