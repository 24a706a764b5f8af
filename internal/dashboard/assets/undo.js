// Takes the offer to undo a change back after its seconds, unless it has the focus.
"use strict";

{
  const limit = (root) => {
    for (const form of root.querySelectorAll("[data-undo]")) {
      setTimeout(() => { if (!form.contains(document.activeElement)) form.remove(); }, 1000 * form.dataset.undo);
    }
  };
  limit(document);
  document.addEventListener("htmx:after:swap", (event) => event.target.id === "beside" && limit(event.target));
}
