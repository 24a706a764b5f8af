// Photos: the wheel, a click and a button zoom, a drag and the arrow keys move, and buttons turn the photo and show
// where its number is. Only the view changes. Without scripts, the link around a photo opens it.
"use strict";

{
  const most = 8; // times the size that fits
  const near = 2.5; // of a click
  const close = 3; // of the print at the foot of a card, left and right of its middle
  const foot = [[-0.25, 0.43], [0.25, 0.43]];
  const arrows = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };

  function start(viewer) {
    const frame = viewer.querySelector(".frame");
    const photo = frame.querySelector("img");
    const tools = viewer.querySelector(".tools");
    const zoom = tools.querySelector('[data-view="zoom"]');
    let [scale, turn, x, y, side, dragged] = [1, 0, 0, 0, 0, false];
    let drag = null; // where the pointer holds the photo

    // box returns the width and the height of the photo in its present turn, and the factor by which it fits.
    const box = () => {
      const [w, h] = [photo.offsetWidth, photo.offsetHeight];
      const [across, down] = turn % 180 === 0 ? [w, h] : [h, w];
      return [across, down, Math.min(1, frame.clientWidth / across, frame.clientHeight / down)];
    };

    const draw = () => {
      const [w, h, fit] = box();
      const within = (at, room) => Math.min(Math.max(at, -room), room);
      x = within(x, Math.max(0, (w * fit * scale - frame.clientWidth) / 2));
      y = within(y, Math.max(0, (h * fit * scale - frame.clientHeight) / 2));
      photo.style.transform = `translate(${x}px, ${y}px) rotate(${turn}deg) scale(${fit * scale})`;
      viewer.classList.toggle("zoomed", scale > 1);
      zoom.setAttribute("aria-pressed", scale > 1);
    };

    // zoomTo keeps what is at a point, from the middle of the frame, where it is.
    const zoomTo = (wanted, px = 0, py = 0) => {
      const next = Math.min(Math.max(wanted, 1), most);
      [x, y, scale] = [px - ((px - x) * next) / scale, py - ((py - y) * next) / scale, next];
      draw();
    };

    const showNumber = () => {
      const [across, down] = foot[side++ % foot.length];
      const [factor, angle] = [box()[2] * close, (turn * Math.PI) / 180];
      const [dx, dy] = [across * photo.offsetWidth * factor, down * photo.offsetHeight * factor];
      const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
      [x, y, scale] = [dy * sin - dx * cos, -dx * sin - dy * cos, close];
      draw();
    };
    const fromMiddle = (event) => {
      const at = frame.getBoundingClientRect();
      return [event.clientX - at.left - at.width / 2, event.clientY - at.top - at.height / 2];
    };

    const turnOn = () => { turn = (turn + 90) % 360; draw(); };
    const actions = { zoom: () => zoomTo(scale > 1 ? 1 : near), number: showNumber, turn: turnOn };
    tools.hidden = false;
    tools.addEventListener("click", (event) => actions[event.target.closest("[data-view]")?.dataset.view]?.());

    frame.addEventListener("wheel", (event) => {
      if (scale === 1 && event.deltaY > 0) return; // the page scrolls on
      event.preventDefault();
      zoomTo(scale * (event.deltaY < 0 ? 1.25 : 0.8), ...fromMiddle(event));
    }, { passive: false });
    frame.addEventListener("click", (event) => {
      if (event.detail === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return; // open the photo
      event.preventDefault();
      if (!dragged) zoomTo(scale > 1 ? 1 : near, ...fromMiddle(event));
    });

    frame.addEventListener("dragstart", (event) => event.preventDefault());
    frame.addEventListener("pointerdown", (event) => {
      dragged = false;
      if (scale === 1) return;
      drag = [event.clientX - x, event.clientY - y];
      frame.setPointerCapture(event.pointerId);
    });
    frame.addEventListener("pointermove", (event) => {
      if (drag === null) return;
      const [toX, toY] = [event.clientX - drag[0], event.clientY - drag[1]];
      dragged ||= Math.hypot(toX - x, toY - y) > 4;
      if (dragged) [x, y] = [toX, toY];
      draw();
    });
    for (const end of ["pointerup", "pointercancel"]) frame.addEventListener(end, () => { drag = null; });

    viewer.addEventListener("keydown", (event) => {
      const move = scale > 1 && arrows[event.key];
      if (!move) return;
      event.preventDefault();
      [x, y] = [x + move[0], y + move[1]];
      draw();
    });
    addEventListener("resize", draw);
  }

  const startAll = (root) => {
    for (const viewer of root.querySelectorAll(".viewer")) start(viewer);
  };
  startAll(document);
  document.addEventListener("htmx:after:swap", (event) => event.target.id === "beside" && startAll(event.target));
}
