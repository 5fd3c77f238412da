// The page with the personal links of a match: buttons that copy a link, and its last hour in the visitor's time zone.
import { initCopy } from "./copy.js";
import { formatTimes } from "./times.js";

const copied = document.getElementById("copied");

initCopy((isCopied) => { copied.textContent = isCopied ? copied.dataset.text : copied.dataset.failed; });

// Phones offer the programs by which a link can be sent.
for (const button of document.querySelectorAll("[data-share]")) {
  if (!navigator.canShare?.({ url: button.dataset.share })) continue;
  button.hidden = false;
  button.addEventListener("click", () => {
    navigator.share({ title: document.title, text: button.dataset.text, url: button.dataset.share }).catch(() => {});
  });
}

formatTimes();
