// Material fetches the search index on every page and builds it there: a third of a megabyte, and a third of a second of
// a phone's processor time. Here both wait until the user points at the search, or the page's URL has search words.
{
  const { open, send } = XMLHttpRequest.prototype;
  const searched = new Promise((resolve) => {
    const check = ({ target }) => target.closest?.(".md-search, [for=__search]") && resolve();
    for (const type of ["focusin", "pointerover"]) addEventListener(type, check);
    if (/[?&][qh]=/.test(location.search)) resolve();
  });
  const indexRequests = new WeakSet();
  XMLHttpRequest.prototype.open = function (...parameters) {
    if (String(parameters[1]).endsWith("/search/search_index.json")) indexRequests.add(this);
    return Reflect.apply(open, this, parameters);
  };
  XMLHttpRequest.prototype.send = function (body) {
    if (!indexRequests.has(this)) return send.call(this, body);
    void searched.then(() => send.call(this, body));
  };
}
