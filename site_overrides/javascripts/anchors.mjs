// A link to a rule on another page brings that rule into view. Material's instant navigation forgets the rule when the
// page was scrolled less than a tenth of a second before: it takes the place on the old page for one to come back to.
let wanted = "";

addEventListener("click", ({ target }) => {
  const link = target.closest?.("a[href]");
  wanted = link?.hash && link.pathname !== location.pathname ? link.href : "";
}, true);

window.document$?.subscribe(() => {
  const { hash, href } = location;
  if (href !== wanted) return;
  wanted = "";
  setTimeout(() => document.getElementById(readable(hash.slice(1)))?.scrollIntoView());
});

function readable(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a % that begins no letter is a %
  }
}
