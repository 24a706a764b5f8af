// Sends the photo of the camera in the bar of a phone at once. Without scripts, a button appears that sends it.
{
  const input = document.getElementById("scan");
  const label = document.querySelector('label[for="scan"] > span');
  const text = label?.textContent;

  input?.addEventListener("change", () => {
    if (input.files.length === 0) return;
    label.textContent = "Sending …";
    input.form.requestSubmit();
  });

  // A page that is shown again by "back" still has the photo that was sent.
  addEventListener("pageshow", (event) => {
    if (!event.persisted || !input) return;
    input.form.reset();
    label.textContent = text;
  });
}
