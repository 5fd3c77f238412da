// Shows times in the visitor's time zone and language; relative ones are the same in every zone.
export function formatTimes() {
  for (const time of document.querySelectorAll("time[datetime]:not([data-style=relative])")) {
    const timeStyle = time.dataset.style === "date" ? undefined : "short";
    time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: "medium", timeStyle });
  }
}
