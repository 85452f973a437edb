// Right-to-left names in left-to-right sentences. Python isolates them in its output as well (`isolate_right_to_left`).
const LETTERS = "[\\u0590-\\u08ff\\ufb1d-\\ufdff\\ufe70-\\ufefc\\u{10800}-\\u{10fff}\\u{1e800}-\\u{1efff}]+";
const RUN = new RegExp(`${LETTERS}(?:[ '\u2019-]+${LETTERS})*`, "gu");

/** Insert Unicode isolates around each run of right-to-left words, so that the text around it keeps its order.
 *  @param {string} text
 *  @returns {string} */
export const isolateRightToLeft = (text) => text.replace(RUN, "\u2068$&\u2069");
