// Material fetches the search index on every page and builds it there: a third of a megabyte, and a third of a second of
// a phone's processor time. Here both wait until the user points at the search, or the page's URL has search words.
const { open, send } = XMLHttpRequest.prototype;
/** @type {Promise<void>} */
const searched = new Promise((resolve) => {
  const check = (/** @type {Event} */ { target }) => target?.closest?.(".md-search, [for=__search]") && resolve();
  for (const type of ["focusin", "pointerover"]) addEventListener(type, check);
  if (/[?&][qh]=/.test(location.search)) resolve();
});
/** @param {string} method
 *  @param {string | URL} address
 *  @param {unknown[]} rest */
XMLHttpRequest.prototype.open = function (method, address, ...rest) {
  this.isOfSearch = String(address).endsWith("/search/search_index.json");
  return Reflect.apply(open, this, [method, address, ...rest]);
};
/** @param {Document | XMLHttpRequestBodyInit | null} [body] */
XMLHttpRequest.prototype.send = function (body) {
  if (!this.isOfSearch) return send.call(this, body);
  void searched.then(() => send.call(this, body));
};
