// Shows times in the reader's zone, and today's without the date. The server writes them in UTC.
const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const hour = new Intl.DateTimeFormat(undefined, { timeStyle: "short" });

function localize(root) {
  for (const element of root.querySelectorAll("time[datetime]:not([title])")) {
    const at = new Date(element.dateTime);
    const today = at.toDateString() === new Date().toDateString();
    element.title = element.textContent;
    element.textContent = (today ? hour : day).format(at);
  }
}

localize(document);
document.addEventListener("htmx:after:swap", () => localize(document));
