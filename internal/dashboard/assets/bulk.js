// Counts the selected cards, and adds a box that selects all of the page. Without scripts, the boxes work alone. A search
// replaces the cards, and with them the form.
{
  const bind = () => {
    const bulk = document.getElementById("bulk");
    if (!bulk || bulk.dataset.bound) return;
    bulk.dataset.bound = "true";
    const boxes = [...document.querySelectorAll('input[name="ids"][form="bulk"]')];
    const all = bulk.elements.namedItem("all");
    const output = bulk.querySelector("output");
    const page = document.createElement("input");
    page.type = "checkbox";
    page.setAttribute("aria-label", "Select all cards of this page");
    const label = document.createElement("label");
    label.append(page);
    document.querySelector("th.box").replaceChildren(label);

    const count = () => {
      const selected = boxes.filter((box) => box.checked).length;
      output.hidden = false;
      output.textContent = all.checked ? "all selected" : `${selected} selected`;
      page.checked = selected === boxes.length;
      page.indeterminate = selected > 0 && selected < boxes.length;
    };
    page.addEventListener("change", () => {
      for (const box of boxes) box.checked = page.checked;
      count();
    });
    for (const box of [...boxes, all]) box.addEventListener("change", count);
    count();
  };

  bind();
  document.addEventListener("htmx:after:swap", bind);
}
