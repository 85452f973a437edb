// The filter of the cast's page. Only that page needs the script and the style of its form, which are loaded later.

class ScratchCastFilter extends HTMLElement {
  connectedCallback() {
    if (location.search.length > 1) this.dataset.waits = ""; // the style hides the list, so that it doesn't jump
    import("./cast-filter-form.mjs").then(({ setUpCastFilter }) => setUpCastFilter(this)).catch(() => this.remove()); // then the whole list is there
  }
}

customElements.define("scratch-cast-filter", ScratchCastFilter);
