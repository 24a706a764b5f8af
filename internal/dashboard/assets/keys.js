// Keys: the key s clicks an element with data-key="s", or focuses a field. In a table with data-rows, j and k move
// along the rows and Enter opens one. No key does anything while the reader types, or together with Ctrl, Alt or Meta.
"use strict";

{
  let sent = false; // a form was sent by a key: a second press must not send it again
  addEventListener("pageshow", () => { sent = false; });

  const fields = "input:not([type=checkbox], [type=radio], [type=submit]), textarea, select";
  const isField = (element) => element.matches(fields);
  const isTyping = (element) => element.isContentEditable || isField(element);

  function moveAlongRows(step) {
    const links = [...document.querySelectorAll("[data-rows] tbody th[scope=row] a")];
    if (links.length === 0) return false;
    const at = links.indexOf(document.activeElement);
    const next = at < 0 ? (step > 0 ? 0 : links.length - 1) : Math.min(Math.max(at + step, 0), links.length - 1);
    links[next].focus();
    links[next].closest("tr").scrollIntoView({ block: "nearest" });
    return true;
  }

  function press(key) {
    const target = document.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (target === null) {
      return (key === "j" && moveAlongRows(1)) || (key === "k" && moveAlongRows(-1));
    }
    if (isField(target)) {
      target.focus();
      target.select?.();
      return true;
    }
    if (sent) return true;
    sent = true;
    target.click();
    return true;
  }

  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (isTyping(event.target)) {
      if (event.key === "Escape") event.target.blur();
      return;
    }
    if (press(event.key)) event.preventDefault();
  });
}
