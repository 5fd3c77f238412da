// The page with the personal links of a match: buttons that copy a link, and its last hour in the visitor's time zone.
import { initCopy } from "./copy.js";
import { formatTimes } from "./times.js";

const copied = document.getElementById("copied");

initCopy(() => { copied.textContent = copied.dataset.text; });

formatTimes();
