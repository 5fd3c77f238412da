// The pages of tournaments: their dates in the visitor's time zone, and in the form the time of the start.
import { formatTimes } from "./times.js";

formatTimes();
const zone = document.querySelector("input[name=zone][data-guess]");
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (zone && [...zone.list.options].some((one) => one.value === timeZone)) {
  zone.value = timeZone;
  if (zone.dataset.starts) {
    const starts = new Date(zone.dataset.starts);
    const local = new Date(starts.getTime() - starts.getTimezoneOffset() * 60000).toISOString();
    [zone.form.elements.date.value, zone.form.elements.time.value] = [local.slice(0, 10), local.slice(11, 16)];
  }
}
