// Swipes on touch screens: in an element with data-swipe-left="s", a swipe to the left presses the key s. A photo that is
// zoomed is moved instead.
"use strict";

{
  const least = 80; // pixels
  const area = document.querySelector("[data-swipe-left]");
  let from = null;

  area?.addEventListener("touchstart", (event) => {
    const free = event.touches.length === 1 && !event.target.closest(".zoomed, input, select, textarea");
    from = free ? event.touches[0] : null;
  }, { passive: true });
  area?.addEventListener("touchcancel", () => { from = null; });
  area?.addEventListener("touchend", (event) => {
    if (from === null) return;
    const to = event.changedTouches[0];
    const [x, y] = [to.clientX - from.clientX, to.clientY - from.clientY];
    from = null;
    if (x > -least || Math.abs(y) > least / 2) return;
    document.querySelector(`[data-key="${CSS.escape(area.dataset.swipeLeft)}"]`)?.click();
  });
}
