// Adds a button that prints the page where the page has a place for it.
for (const place of document.querySelectorAll("[data-print]")) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Print";
  button.addEventListener("click", () => print());
  place.append(button);
}
