// The script that a page loads later, for the campaign's page and for an import. It is bundled with a copy of its own of
// everything it imports, so Python and other single things of the page come as arguments, see file-import.mjs.
export { showCampaign } from "./campaign-page.mjs";
export { importOrReview } from "./import-review.mjs";
