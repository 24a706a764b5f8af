// Keys. The key s clicks an element with data-key="s", or focuses a field or an element with a tabindex. The key g and
// then c clicks the link in data-go="c". In a table, j and k move along the rows, Enter opens one and x selects it.
// Escape leads to the section of the page, and ? shows the list of keys. No key does anything while the reader types,
// while the list of keys is open, or together with Ctrl, Alt or Meta.
"use strict";

{
  const goTime = 1500; // milliseconds between g and the key after it
  let goUntil = 0;
  let sent = false; // a form was sent by a key: a second press must not send it again
  let edited = false; // a form was edited, so that Escape must not leave the page
  addEventListener("pageshow", () => { sent = false; });
  addEventListener("submit", (event) => { if (event.defaultPrevented) sent = false; }); // a script sends it
  addEventListener("htmx:after:swap", (event) => { if (event.target.id === "beside") edited = false; });
  addEventListener("input", (event) => { edited ||= event.target.form?.method === "post"; });

  const fields = "input:not([type=checkbox], [type=radio], [type=submit]), textarea, select";
  const isField = (element) => element.matches(fields);
  const isTyping = (element) => element.isContentEditable || isField(element);

  const dialog = document.getElementById("keys");
  const showKeys = (event) => {
    event?.preventDefault();
    dialog?.showModal();
    dialog?.querySelector("button").focus();
  };
  for (const link of document.querySelectorAll("a[data-keys]")) link.addEventListener("click", showKeys);
  dialog?.querySelector("button").addEventListener("click", () => dialog.close());

  const currentRow = () => document.activeElement?.closest("main tbody tr");

  function moveAlongRows(step) {
    const links = [...document.querySelectorAll("main tbody th[scope=row] a:first-of-type")];
    if (links.length === 0) return false;
    const row = currentRow();
    const at = row ? links.findIndex((link) => link.closest("tr") === row) : -1;
    const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
    links[next].focus();
    links[next].closest("tr").scrollIntoView({ block: "nearest" });
    return true;
  }

  function selectRow() {
    const box = currentRow()?.querySelector("input[type=checkbox]");
    box?.click();
    return Boolean(box);
  }

  function goBack() {
    const current = "a[aria-current=page]";
    const section = document.querySelector(`.section-links ${current}`) ?? document.querySelector(`.side ${current}`);
    if (!section || section.pathname === location.pathname) return false;
    section.click();
    return true;
  }

  // find returns what has the key: something of the page's content before something of the frame.
  function find(key) {
    if (key === "/") return document.querySelector("main input[type=search]") ?? document.getElementById("find");
    return document.querySelector(`[data-key="${CSS.escape(key)}"]`);
  }

  const actions = {
    "j": () => moveAlongRows(1), "k": () => moveAlongRows(-1), "x": selectRow, "Escape": goBack,
    "?": () => { showKeys(); return dialog !== null; },
  };

  function press(key) {
    if (key === "Escape" && edited) return false;
    const target = find(key);
    if (target === null) return actions[key]?.() ?? false;
    if (isField(target) || target.hasAttribute("tabindex")) {
      target.focus();
      target.select?.();
      return true;
    }
    if (target.type === "button") { // it stays on the page
      target.click();
      return true;
    }
    if (sent) return true;
    sent = true;
    const click = new MouseEvent("click", { bubbles: true, cancelable: true });
    if (!target.dispatchEvent(click)) sent = false; // a script has done what the link says
    return true;
  }

  // go opens the section of a key that follows g, and starts to wait for that key.
  function go(event) {
    const link = event.timeStamp < goUntil && document.querySelector(`[data-go="${CSS.escape(event.key)}"] a`);
    goUntil = event.key === "g" ? event.timeStamp + goTime : 0;
    if (link) link.click();
    return Boolean(link) || event.key === "g";
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing || dialog?.open) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (go(event) || press(event.key)) event.preventDefault();
  });
}
