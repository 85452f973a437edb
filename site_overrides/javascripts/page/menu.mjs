// A button that opens a menu of buttons. The browser opens and closes it, as its popover; arrow keys move within it.

/** Create a menu. Its items close it, except those that share a link and then say so on themselves.
 *  @param {HTMLElement[]} items buttons and rules
 *  @returns {HTMLElement} */
export function createMenu(items) {
  const menu = Object.assign(document.createElement("div"), { className: "list-menu", popover: "auto" });
  menu.setAttribute("role", "menu");
  const buttons = /** @type {HTMLButtonElement[]} */ (items.filter((item) => item.matches("button")));
  for (const button of buttons) {
    button.classList.add("list-menu__item");
    button.setAttribute("role", "menuitem");
    button.tabIndex = -1;
    if ("share" in button.dataset) continue;
    button.popoverTargetElement = menu;
    button.popoverTargetAction = "hide";
  }
  menu.append(...items);
  menu.addEventListener("keydown", (event) => handleMenuKey(event, menu, buttons));
  return menu;
}

/** Create a line between items of a menu.
 *  @returns {HTMLElement} */
export function createMenuSeparator() {
  const rule = document.createElement("hr");
  rule.className = "list-menu__rule";
  return rule;
}

/** Create the button that opens a menu.
 *  @param {string} label
 *  @param {HTMLElement} menu
 *  @returns {HTMLButtonElement} */
export function createMenuButton(label, menu) {
  const button = Object.assign(document.createElement("button"), { type: "button", className: "list-row__more", textContent: "⋯" });
  button.setAttribute("aria-label", label);
  button.setAttribute("aria-haspopup", "menu");
  menu.setAttribute("aria-label", label);
  button.popoverTargetElement = menu;
  menu.addEventListener("beforetoggle", ({ newState }) => {
    const isOpening = newState === "open";
    menu.querySelector("button")?.toggleAttribute("autofocus", isOpening); // the browser then focuses it
    if (isOpening) placeMenu(menu, button);
  });
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown") return;
    event.preventDefault();
    button.click();
  });
  return button;
}

/** Place a menu below its button, or above it in the lower half of the window; it scrolls with the page.
 *  @param {HTMLElement} menu
 *  @param {HTMLElement} button */
function placeMenu(menu, button) {
  const { top, bottom, right } = button.getBoundingClientRect();
  const { clientWidth, clientHeight } = document.documentElement;
  const isAbove = bottom > clientHeight / 2;
  menu.toggleAttribute("data-above", isAbove);
  menu.style.setProperty("--x", `${clientWidth - right}px`);
  menu.style.setProperty("--y", `${scrollY + (isAbove ? top : bottom)}px`);
  menu.style.setProperty("--room", `${isAbove ? top : clientHeight - bottom}px`);
}

/** Move the focus within a menu; Tab leaves it.
 *  @param {KeyboardEvent} event
 *  @param {HTMLElement} menu
 *  @param {HTMLElement[]} buttons */
function handleMenuKey(event, menu, buttons) {
  event.stopPropagation(); // keys of the page behind it
  if (event.key === "Tab") return menu.hidePopover();
  const index = buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement));
  /** @type {Record<string, number>} */
  const targets = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: -1 };
  if (!(event.key in targets)) return;
  event.preventDefault();
  buttons.at(targets[event.key] % buttons.length)?.focus();
}
