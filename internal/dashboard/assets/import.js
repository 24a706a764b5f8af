// Sends any number of photos in parts of 20, or of 5 if each shows several cards, and shows the result of each. A part that is sent again, after a lost
// connection or a reload of the page, creates no second cards: its key is kept until all parts have arrived.
{
  const most = (pairing) => (pairing === "many" ? 5 : 20);
  const form = document.getElementById("photo-import");
  const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));

  // stem is the name of a photo without what tells a front from its back.
  const side = /(-front|-back|_f|_b|-1|-2|\(1\)|\(2\))$/;
  const stem = (file) => file.name.toLowerCase().replace(/\.[^.]*$/, "").replace(side, "");

  // parts splits photos so that the front and the back of a card stay together.
  const parts = (files, pairing) => {
    const byName = pairing === "name";
    if (byName) files.sort((a, b) => (stem(a) < stem(b) ? -1 : stem(a) > stem(b) ? 1 : 0));
    const all = [];
    while (files.length > 0) {
      let size = Math.min(most(pairing), files.length);
      if (byName && size < files.length && size > 1 && stem(files[size - 1]) === stem(files[size])) size--;
      all.push(files.splice(0, size));
    }
    return all;
  };

  const storedKey = (fallback) => {
    try {
      const key = localStorage.getItem("photo-import") ?? fallback;
      localStorage.setItem("photo-import", key);
      return key;
    } catch {
      return fallback;
    }
  };
  const forgetKey = () => {
    try {
      localStorage.removeItem("photo-import");
    } catch {
      // The browser keeps nothing.
    }
  };

  // send sends a part until it has arrived, and returns its results.
  const send = async (fields, part, say) => {
    for (let pause = 1; ; pause = Math.min(2 * pause, 30)) {
      const body = new FormData();
      for (const [name, value] of fields) body.append(name, value);
      for (const file of part) body.append("photos", file, file.name);
      try {
        const response = await fetch(form.action, { method: "POST", body, headers: { Accept: "application/json" } });
        const isJSON = response.headers.get("Content-Type") === "application/json";
        const answer = isJSON ? await response.json() : {};
        if (response.ok && isJSON) return answer;
        if (isJSON ? !answer.retry : response.status < 500) {
          throw new Error(answer.error ?? "The photos were not taken. Log in again and repeat the import.");
        }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // a TypeError is a lost connection
      }
      say(`Waiting for the connection, ${pause} s …`);
      await wait(pause);
    }
  };

  const show = (list, result) => {
    const item = document.createElement("li");
    item.append(`${result.files.join(", ")}: `);
    const what = document.createElement(result.error ? "span" : "a");
    what.textContent = result.error ?? "the new card";
    if (result.error) what.className = "error";
    else what.href = `/cards/${result.card_id}`;
    item.append(what);
    list.append(item);
  };

  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const area = form.querySelector(".sending");
    const [bar, status, list] = [area.querySelector("progress"), area.querySelector("p"), area.querySelector("ol")];
    const say = (text) => { status.textContent = text; };
    const fields = [...new FormData(form)].filter(([name]) => name !== "photos" && name !== "key");
    fields.push(["key", storedKey(form.elements.namedItem("key").value)]);
    const files = [...form.elements.namedItem("photos").files];
    const total = files.length;
    const button = document.querySelector(`button[form="${form.id}"]`); // at the head of the page
    [area.hidden, button.disabled, bar.max, bar.value] = [false, true, total, 0];
    list.replaceChildren();
    area.scrollIntoView({ block: "nearest" });
    try {
      const all = parts(files, form.elements.namedItem("pairing").value);
      for (const [place, part] of all.entries()) {
        say(`${bar.value} of ${total} photos`);
        for (const result of await send([...fields, ["part", place]], part, say)) show(list, result);
        bar.value += part.length;
      }
      say(`Done: ${total === 1 ? "1 photo" : `${total} photos`}.`);
      forgetKey();
    } catch (error) {
      say(error.message);
    }
    button.disabled = false;
  });
}
