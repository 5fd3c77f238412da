// Shows times in the visitor's time zone and the language of the page, as the visitor's region writes it;
// relative ones are the same in every zone.
export function formatTimes() {
  const { lang } = document.documentElement;
  const locales = [...navigator.languages.filter((one) => one.split("-")[0] === lang), lang];
  for (const time of document.querySelectorAll("time[datetime]:not([data-style=relative])")) {
    const timeStyle = time.dataset.style === "date" ? undefined : "short";
    time.textContent = new Date(time.dateTime).toLocaleString(locales, { dateStyle: "medium", timeStyle });
  }
}
