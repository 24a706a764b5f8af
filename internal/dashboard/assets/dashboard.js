// Shows times in the reader's zone, those of this week relative to now, and numbers with the separators of the reader's
// language. The server writes times in UTC and numbers as 1,240.50.
"use strict";

{
  const exact = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });
  const [minute, hour, day] = [60, 3600, 24 * 3600]; // seconds
  const week = 7 * day;
  const units = [[minute, "second", minute], [hour, "minute", minute], [day, "hour", hour], [week, "day", day]];

  // relativeText returns how far a time is from now, in minutes at the least, or "" if that is a week or more.
  const relativeText = (at) => {
    const seconds = Math.round((at - Date.now()) / 1000);
    const unit = units.find(([limit]) => Math.abs(seconds) < limit);
    return unit ? relative.format(Math.trunc(seconds / unit[2]), unit[1]) : "";
  };

  // On paper, below a chart and in a history, a time is exact.
  const isExact = (element) => element.closest(".shelf, .dots, .deletion, .history, .attempts") !== null;

  const showTimes = (elements) => {
    for (const element of elements) {
      const at = new Date(element.dateTime);
      const text = isExact(element) ? "" : relativeText(at);
      element.title = exact.format(at);
      if (element.textContent !== (text || element.title)) element.textContent = text || element.title;
    }
  };

  const parts = new Intl.NumberFormat(undefined, { useGrouping: true }).formatToParts(1234567.5);
  const separator = (type) => parts.find((part) => part.type === type)?.value ?? "";
  const separators = { ",": separator("group"), ".": separator("decimal") };
  const grouped = /\d{1,3}(,\d{3})+(\.\d+)?|\d+\.\d+/g;

  // showNumbers replaces the separators in the text of an element, not in that of elements within it.
  const showNumbers = (elements) => {
    for (const element of elements) {
      if (element.dataset.localized) continue;
      element.dataset.localized = "true";
      for (const node of element.childNodes) {
        if (node.nodeType !== Node.TEXT_NODE) continue;
        node.data = node.data.replace(grouped, (text) => text.replace(/[,.]/g, (mark) => separators[mark]));
      }
    }
  };

  const localize = (root) => {
    showTimes(root.querySelectorAll("time[datetime]:not([title])"));
    if (separators[","] !== "," || separators["."] !== ".") showNumbers(root.querySelectorAll(".amount, .figure, .count"));
  };

  localize(document);
  document.addEventListener("htmx:after:swap", () => localize(document));
  setInterval(() => showTimes(document.querySelectorAll("time[datetime]")), 30_000);
}
