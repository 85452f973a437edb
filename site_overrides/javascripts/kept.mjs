// What a calculator keeps on this device, where its form has data-keep="…", the number of the kept form's version.
import { ownName } from "./place.mjs";
import { stored, storedNames } from "./stored.mjs";

export class Kept {
  #place;
  #name;
  #version;

  /** For a calculator's element that keeps its last answer's query in this version. */
  constructor(place, version) {
    this.#place = place;
    this.#name = ownName(`scratch-kept-${place.getAttribute("name")}`);
    this.#version = version;
  }

  /** The query that is kept, or "". What can't be read is set aside. */
  query() {
    this.#showAside();
    const text = stored(this.#name);
    if (!text) return "";
    try {
      const kept = JSON.parse(text);
      if (kept.version === this.#version && typeof kept.query === "string") return kept.query;
    } catch {
      // set aside below, like a version that is not ours
    }
    this.setAside();
    return "";
  }

  keep(query) {
    try {
      localStorage.setItem(this.#name, JSON.stringify({ version: this.#version, query }));
    } catch {
      // no storage, or it is full: the address and the file still hold everything
    }
  }

  /** Put what is kept out of the way, to be saved as a file. */
  setAside() {
    try {
      localStorage.setItem(`${this.#name}-aside-${Date.now()}`, stored(this.#name));
      localStorage.removeItem(this.#name);
    } catch {
      return;
    }
    this.#showAside();
  }

  #showAside() {
    this.#place.querySelector(".calculator-aside")?.remove();
    const names = storedNames().filter((name) => name.startsWith(`${this.#name}-aside-`));
    if (!names.length) return;
    const section = document.createElement("section");
    section.className = "calculator-aside";
    section.innerHTML = "<p>What was kept here before is set aside; nothing of it is lost.</p>";
    for (const name of names) {
      const keep = Object.assign(document.createElement("button"), { type: "button", textContent: "Save it as a file" });
      keep.dataset.download = `${name.slice(name.indexOf("scratch-kept"))}.txt`;
      keep.dataset.text = stored(name);
      const drop = Object.assign(document.createElement("button"), { type: "button", textContent: "Throw it away" });
      drop.addEventListener("click", () => {
        localStorage.removeItem(name);
        this.#showAside();
      });
      section.append(keep, " ", drop);
    }
    this.#place.append(section);
  }
}
