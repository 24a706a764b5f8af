// Shows that a form which was sent is at work if the answer takes longer than 100 ms.
"use strict";

{
  const delay = 100; // milliseconds
  let busy = null;

  // On the window, this runs after the scripts that send a form themselves.
  addEventListener("submit", (event) => {
    const button = event.submitter;
    if (event.defaultPrevented || event.target.method !== "post" || !button) return;
    setTimeout(() => {
      busy = button;
      button.setAttribute("aria-busy", "true");
    }, delay);
  });

  // A page that is shown again by "back" waits for nothing.
  addEventListener("pageshow", () => {
    busy?.removeAttribute("aria-busy");
    busy = null;
  });
}
