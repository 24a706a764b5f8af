// Opens cards beside their list on wide screens: a click on a row or Enter opens one, j and k go on, and Escape closes it.
// Forms and links of the card's page work in it. On narrow screens and without scripts, a card has a page of its own.
"use strict";

{
  const wide = matchMedia("(min-width: 64rem)");
  const panel = document.getElementById("beside");
  const cardPath = /^\/cards\/(card_[0-9a-z]+)$/;
  let shown = ""; // the identifier of the card that is shown, or is being loaded
  let opened = ""; // its address
  let latest = 0; // counts requests: the answer of an older one is not shown

  const idOf = (link) => (link.origin === location.origin && cardPath.exec(link.pathname)?.[1]) || "";
  const rowOf = (id) => document.querySelector(`#found input[name="ids"][value="${CSS.escape(id)}"]`)?.closest("tr");
  const linkOf = (id) => rowOf(id)?.querySelector("th a");

  function mark() {
    document.querySelector("#found tr[aria-current]")?.removeAttribute("aria-current");
    const row = rowOf(shown);
    row?.setAttribute("aria-current", "true");
    row?.scrollIntoView({ block: "nearest" });
  }

  function link(text, href) {
    const made = document.createElement("a");
    [made.textContent, made.href] = [text, href];
    return made;
  }

  // place shows the content of a page in the panel, that of a card or an error. The list has the only main heading.
  function place(content) {
    const heading = content.querySelector("h1");
    const title = document.createElement("h2");
    title.tabIndex = -1;
    title.append(...(heading?.childNodes ?? []));
    heading?.replaceWith(title);
    let between = content.querySelector(".between");
    if (!between) {
      between = document.createElement("nav");
      between.className = "between";
      between.append(link("Back to the list", "/cards"));
      between.firstChild.dataset.key = "Escape";
      content.prepend(between);
    }
    const full = link("Open as a page", opened);
    full.dataset.page = "true";
    between.append(full);
    panel.replaceChildren(...content.childNodes);
    panel.dispatchEvent(new CustomEvent("htmx:after:swap", { bubbles: true }));
  }

  // load requests a page and shows it. A page that is no card's, such as the log-in, replaces the list.
  async function load(address, options) {
    const request = ++latest;
    panel.setAttribute("aria-busy", "true");
    try {
      const response = await fetch(address, options);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      if (request !== latest) return false;
      if (response.ok && idOf(new URL(response.url)) === "") {
        location.assign(response.url);
        return false;
      }
      place(page.querySelector("main"));
      return true;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error; // a TypeError is a lost connection
      if (request === latest) panel.textContent = "The connection was lost. Open the card again.";
      return false;
    } finally {
      if (request === latest) panel.removeAttribute("aria-busy");
    }
  }

  async function open(id, address) {
    [shown, opened, panel.hidden] = [id, address, false];
    mark();
    if (await load(address)) panel.scrollTop = 0;
  }

  function close() {
    [shown, panel.hidden] = ["", true];
    latest++;
    mark();
    panel.replaceChildren();
  }

  // show opens the card that the address names, or closes the panel.
  function show() {
    const id = cardPath.exec(`/cards/${location.hash.slice(1)}`)?.[1] ?? "";
    if (id === shown || (id === "" && location.hash !== "")) return; // another place of the page
    if (id === "" || !wide.matches) close();
    else open(id, linkOf(id)?.href ?? `/cards/${id}?from=${encodeURIComponent(location.search.slice(1))}`);
  }

  function openLink(link) {
    const id = idOf(link);
    if (id === shown) {
      panel.querySelector("h2")?.focus();
      return;
    }
    history[shown === "" ? "pushState" : "replaceState"](null, "", `#${id}`);
    open(id, link.href);
    linkOf(id)?.focus();
  }

  function leave() {
    const link = linkOf(shown);
    history.replaceState(null, "", location.pathname + location.search);
    close();
    link?.focus();
  }

  // refresh replaces the row of the card, which a form has changed. A card that is not in the list any more keeps its row.
  async function refresh(id) {
    const response = await fetch(location.pathname + location.search);
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const [old, row] = [rowOf(id), page.querySelector(`input[name="ids"][value="${CSS.escape(id)}"]`)?.closest("tr")];
    if (!old || !row) return;
    row.querySelector("input").checked = old.querySelector("input").checked;
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(row);
    row.dispatchEvent(new CustomEvent("htmx:after:swap", { bubbles: true }));
    if (hadFocus) linkOf(id)?.focus();
    mark();
  }

  const plain = (event) => event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;

  function clickInList(event) {
    const row = event.target.closest("#found tbody tr");
    const other = event.target.closest("a, input, label, button");
    const link = row?.querySelector("th a");
    if (!link || (other && other !== link)) return;
    event.preventDefault();
    openLink(link);
  }

  function clickInPanel(event) {
    const link = event.target.closest("a[href]");
    if (!link || link.dataset.page) return;
    const id = idOf(link);
    if (link.closest(".between")) {
      event.preventDefault();
      if (id === "") leave();
      else openLink(link);
    } else if (id !== "" && id === shown) { // another state of the same card
      event.preventDefault();
      load(link.href).then((loaded) => loaded && link.hash && panel.querySelector(link.hash)?.scrollIntoView());
    }
  }

  async function submit(event) {
    const [form, id] = [event.target, shown];
    if (form.method !== "post") return;
    event.preventDefault();
    const data = new FormData(form, event.submitter);
    const body = form.enctype === "multipart/form-data" ? data : new URLSearchParams(data);
    if (await load(form.action, { method: "POST", body })) {
      panel.querySelector(".notice, [aria-invalid], [role=alert]")?.scrollIntoView({ block: "center" });
    }
    if (id === shown) await refresh(id);
  }

  if (panel) {
    document.getElementById("main").addEventListener("click", (event) => {
      if (event.defaultPrevented || !wide.matches || !plain(event)) return;
      if (panel.contains(event.target)) clickInPanel(event);
      else clickInList(event);
    });
    panel.addEventListener("submit", submit);
    addEventListener("popstate", show);
    document.addEventListener("htmx:after:swap", (event) => event.target.id === "found" && mark());
    show();
  }
}
