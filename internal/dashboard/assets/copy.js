// Adds a button that copies a secret or a link which is shown once.
function addCopyButtons(root) {
  if (!navigator.clipboard) return; // only in secure contexts
  for (const code of root.querySelectorAll(".secret > code:not([data-copy])")) {
    code.dataset.copy = "true";
    const button = document.createElement("button");
    button.type = "button";
    button.className = "secondary outline";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        button.textContent = "Select it and copy it by hand";
      }
    });
    code.after(button);
  }
}

addCopyButtons(document);
document.addEventListener("htmx:after:swap", (event) => addCopyButtons(event.target));
