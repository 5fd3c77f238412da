// The page with the personal links of a match: buttons that copy a link, and its last hour in the visitor's time zone.
const copied = document.getElementById("copied");

for (const button of navigator.clipboard ? document.querySelectorAll("[data-copy]") : []) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    copied.textContent = "";
    await navigator.clipboard.writeText(button.dataset.copy);
    copied.textContent = copied.dataset.text;
  });
}

for (const time of document.querySelectorAll("time[datetime]")) {
  time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
