// What the look holds to: each function lists what offends on the page as it is seen, as `place: value`.
// look.py says on which pages, states and screens.
(() => {
  const of = (each, pseudo) => getComputedStyle(each, pseudo);
  const box = (each) => each.getBoundingClientRect();
  const SIDES = ["Top", "Right", "Bottom", "Left"];
  const edges = (style) => SIDES.filter((side) => parseFloat(style[`border${side}Width`]));

  const isSeen = (each) => {
    const { width, height } = box(each); // what is only read aloud has a pixel
    return width > 1 && height > 1 && each.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const seen = (root = "body") => [...document.querySelectorAll(`${root} *`)].filter(isSeen);
  const pressable = () =>
    seen().filter((each) => each.matches("a[href], button, summary, select, textarea, input, label[for], [role=button]"));

  const own = (each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
  const isTyped = (each) => each.matches("input:not([type=checkbox], [type=radio]), select, textarea");

  const label = (each) => {
    const name = each.getAttribute("name");
    return [each.localName, ...[...each.classList].slice(0, 2)].join(".") + (name ? `[name=${name}]` : "");
  };
  const place = (each) => {
    const names = [];
    for (let at = each; at && at !== document.body && names.length < 3; at = at.parentElement) names.unshift(label(at));
    return names.join(" > ");
  };

  const px = (length) => Math.round(parseFloat(length) * 10) / 10;
  const isAmong = (length, scale) => scale.some((each) => Math.abs(each - length) < 0.3);
  const accent = () => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = "var(--accent)";
    const { color } = of(probe);
    probe.remove();
    return color;
  };

  /** The lines of text that an element has of its own. */
  const lines = (each) => {
    const texts = [...each.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    return texts.flatMap((node) => {
      const range = document.createRange();
      range.selectNodeContents(node);
      return [...range.getClientRects()].filter(({ width }) => width > 1);
    });
  };
  const isClear = (colour) => colour === "transparent" || /[,/] 0(\.\d+)?\)$/.test(colour);
  const isPainted = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true });

  const isScrolled = (each) => {
    for (let at = each; at; at = at.parentElement) if (["auto", "scroll"].includes(of(at).overflowX)) return true;
    return false;
  };

  const areBothSeen = (one, other, x, y) => {
    scrollTo({ top: y - innerHeight / 2, behavior: "instant" });
    const stack = document.elementsFromPoint(x, y - scrollY);
    const [upper, lower] = [one, other].map((each) => stack.indexOf(each)).sort((a, b) => a - b);
    return upper >= 0 && stack.slice(0, lower).every((each) => isClear(of(each).backgroundColor) || each.contains(stack[lower]));
  };

  return {
    edge() {
      return seen()
        .filter((each) => each.localName === "h1")
        .slice(0, 1)
        .map((each) => `h1: ${px(box(each).left)} px`);
    },

    // Excepted: †, raised and lowered signs (a share of the text that they stand in), code within a text (as tall as the
    // text looks, in another face), drawings, which are scaled as one.
    sizes() {
      const scale = [13, 15, 17, 18, 21, 27, 32, 39];
      const excepted = "sup, sub, code, kbd, .ruling-mark > summary, svg[viewBox]";
      return seen()
        .filter((each) => (own(each) || isTyped(each)) && !each.closest(excepted))
        .filter((each) => !isAmong(px(of(each).fontSize), scale))
        .map((each) => `${place(each)}: ${px(of(each).fontSize)} px`);
    },

    // Excepted: hairlines, what stands within a line of text, whose paddings are the line's own, and drawings.
    spaces() {
      const scale = [4, 8, 12, 16, 24, 32, 48, 64];
      const names = [...SIDES.map((side) => `padding${side}`), "rowGap", "columnGap"];
      return seen(".md-content")
        .filter((each) => of(each).display !== "inline" && !each.closest("svg, code, kbd, sup, sub"))
        .flatMap((each) => names.map((name) => [each, name, px(of(each)[name])]))
        .filter(([, , length]) => length > 2 && !isAmong(length, scale))
        .map(([each, name, length]) => `${place(each)}: ${name} ${length} px`);
    },

    // A link, the place where the reader is, and the primary button may have it; † opens as a link does.
    accent() {
      const colour = accent();
      const may =
        "a[href], .primary, [aria-current], .md-nav__link--active, .md-tabs__item--active, .ruling-mark > summary, .parts .focus-visible";
      const drawn = (each, pseudo) => {
        const style = of(each, pseudo);
        if (pseudo && style.content === "none") return [];
        const names = ["backgroundColor", ...edges(style).map((side) => `border${side}Color`)];
        if (pseudo || own(each) || isTyped(each)) names.push("color");
        if (style.outlineStyle !== "none") names.push("outlineColor");
        if (style.textDecorationLine !== "none") names.push("textDecorationColor");
        if (each.closest("svg")) names.push("fill", "stroke");
        const found = names.filter((name) => style[name] === colour).map((name) => name.replace(/^border.*/, "border"));
        return [...new Set(found)].map((name) => `${place(each)}${pseudo}: ${name}`);
      };
      return seen()
        .filter((each) => !each.closest(may))
        .flatMap((each) => ["", "::before", "::after"].flatMap((pseudo) => drawn(each, pseudo)));
    },

    // Two of one calculator, or two that one screen can show, are one too many, but where the parts are shown.
    primary() {
      const colour = accent();
      const all = pressable().filter((each) => of(each).backgroundColor === colour && !each.closest(".parts"));
      const calculator = (each) => each.closest("scratch-calculator");
      const isBeside = (one, other) =>
        Math.abs(box(one).top - box(other).top) < innerHeight || (calculator(one) && calculator(one) === calculator(other));
      return all
        .filter((each) => all.some((other) => other !== each && isBeside(each, other)))
        .map((each) => `${place(each)}: ${each.textContent.trim()}`);
    },

    // Excepted: links within a text, a rule's own among them, or a table's row, and what stands in something larger that takes the press, as a box to
    // tick in its label does; the label of a field that is seen itself. A space of a board has 36.
    pressed() {
      const words = (each) => each.textContent.trim().length;
      const block = (each) => {
        let at = each.parentElement;
        while (of(at).display === "inline") at = at.parentElement;
        return at.closest("tr") ?? at;
      };
      const isInText = (each) => (of(each).display === "inline" && words(block(each)) > words(each)) || each.matches(".rule-anchor");
      const isOfField = (each) => each.localName === "label" && each.control && isSeen(each.control);
      const target = (each) => each.closest("label") ?? each.closest("a[href], button, summary") ?? each;
      const isSmall = (each) => {
        const least = each.closest("[data-space]") ? 36 : 44;
        return Math.min(box(target(each)).width, box(target(each)).height) < least - 0.5;
      };
      const size = ({ width, height }) => `${Math.round(width)} × ${Math.round(height)}`;
      return pressable()
        .filter((each) => !isInText(each) && !isOfField(each) && isSmall(each))
        .map((each) => `${place(each)}: ${size(box(target(each)))}`);
    },

    // A word goes to the next line whole; code, what is for the ears alone, and a word wider than the page excepted.
    broken() {
      const article = document.querySelector(".md-content__inner");
      const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
      const found = [];
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement;
        if (parent.offsetWidth <= 1 || !parent.checkVisibility() || parent.closest("code")) continue;
        for (const { 0: word, index } of node.data.matchAll(/\p{L}+/gu)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const rects = [...range.getClientRects()].filter(({ width }) => width);
          const isWide = rects.reduce((sum, { width }) => sum + width, 0) > article.clientWidth;
          if (!isWide && new Set(rects.map(({ top }) => Math.round(top))).size > 1) found.push(`${place(parent)}: ${word}`);
        }
      }
      return found;
    },

    // A control can be pressed wherever it comes to be on the screen: last above the bars at the bottom, first below those at
    // the top, or in the middle; and a text is read there. What lies over it counts even if presses go through it;
    // a sheet over the page, which its own button closes, does not.
    covered() {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { pointer-events: auto !important; }");
      document.adoptedStyleSheets.push(sheet);
      const controls = pressable().filter((each) => !each.closest(".md-sidebar")); // the theme's scripts fit it to the screen
      const clipped = seen(".md-content").filter((each) => of(each).clipPath === "inset(50%)");
      const isShown = (each) => !each.closest("svg, .aloud") && !clipped.some((one) => one.contains(each));
      const texts = seen(".md-content").filter((each) => own(each) && isShown(each));
      const passes = { nearest: controls, "nearest, from below": controls.toReversed(), center: [...new Set([...controls, ...texts])] };
      const found = new Set();
      for (const [pass, each] of Object.entries(passes).flatMap(([pass, all]) => all.map((each) => [pass, each]))) {
        const isTall = box(each).height > innerHeight / 2;
        const block = isTall ? "center" : pass.split(",")[0];
        each.scrollIntoView({ block, inline: box(each).width > innerWidth ? "start" : "nearest", behavior: "instant" });
        const isControl = controls.includes(each);
        const spot = () => (of(each).display === "inline" || !isControl ? lines(each)[0] : null) ?? box(each);
        if (isTall && !isControl) scrollBy({ top: spot().top - innerHeight / 2, behavior: "instant" });
        const rect = spot();
        if (!isControl && rect.left + 40 > innerWidth && isScrolled(each)) continue; // its own first words are scrolled to
        const isItself = (one) => each.contains(one) || [...(each.labels ?? [])].some((label) => label.contains(one));
        const isThrough = (one) => !isPainted(one) || (!isControl && !isItself(one) && isClear(of(one).backgroundColor));
        const across = isControl ? rect.width / 2 : Math.min(rect.width / 2, 40);
        const stack = document.elementsFromPoint(rect.left + across, rect.top + rect.height / 2);
        const over = stack.find((one) => !isThrough(one));
        const isIt = isItself(over) || (!isControl && over?.contains(each));
        const isBehindSheet = over?.closest(".chooser, .explainer") && !each.closest(".chooser, .explainer");
        const isBelowMenu = each.closest(".md-footer") && over?.closest(".md-sidebar"); // which the theme's script ends above it
        if (!isIt && !isBehindSheet && !isBelowMenu)
          found.add(`${place(each)}: ${pass}, below ${over ? place(over) : "the screen's edge"}`);
      }
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet);
      scrollTo({ top: 0, behavior: "instant" });
      return [...found];
    },

    looked() {
      return pressable().map(place);
    },

    // No text is drawn upon another: not where one lies upon a ground that hides the other.
    overlapping() {
      const texts = seen()
        .filter((each) => own(each) && !each.closest("svg"))
        .flatMap((each) => lines(each).map((line) => ({ each, line, ink: 0.3 * parseFloat(of(each).fontSize) })))
        .map(({ each, line: { left, right, top, bottom }, ink }) => {
          const y = (top + bottom) / 2 + scrollY;
          return { each, left: left + 1, right: right - 1, top: y - ink, bottom: y + ink };
        })
        .sort((one, other) => one.top - other.top);
      const found = new Set();
      for (const [at, one] of texts.entries()) {
        for (let next = at + 1; next < texts.length && texts[next].top < one.bottom; next++) {
          const other = texts[next];
          if (one.each.contains(other.each) || other.each.contains(one.each)) continue;
          const left = Math.max(one.left, other.left);
          const right = Math.min(one.right, other.right);
          if (right - left < 2 || Math.min(one.bottom, other.bottom) - other.top < 2) continue;
          if (areBothSeen(one.each, other.each, (left + right) / 2, (other.top + Math.min(one.bottom, other.bottom)) / 2)) {
            found.add(`${place(one.each)}: upon ${place(other.each)}`);
          }
        }
      }
      scrollTo({ top: 0, behavior: "instant" });
      return [...found];
    },

    // What is written can be read to its end: no edge cuts it off that nothing scrolls, nor three dots.
    cut() {
      const hides = (style, axis) => ["hidden", "clip"].includes(style[`overflow${axis}`]);
      return seen(".md-content")
        .filter((each) => own(each) && !each.closest("svg, .aloud, [aria-hidden=true]"))
        .filter((each) => {
          const all = lines(each);
          for (let at = each; at !== document.body; at = at.parentElement) {
            const [style, edge] = [of(at), box(at)];
            if (["auto", "scroll"].some((way) => style.overflow.includes(way)) || style.position === "fixed") return false;
            if (hides(style, "X") && all.some(({ left, right }) => left < edge.left - 2 || right > edge.right + 2)) return true;
            if (hides(style, "Y") && all.some(({ top, bottom }) => top + 4 < edge.top || bottom - 4 > edge.bottom)) return true;
          }
          return false;
        })
        .map((each) => `${place(each)}: ${each.textContent.trim().slice(0, 60)}`);
    },

    sideways() {
      const wide = document.documentElement.scrollWidth;
      if (wide <= innerWidth) return [];
      const isHeld = (each) => {
        for (let at = each.parentElement; at !== document.body; at = at.parentElement) {
          if (of(at).overflowX !== "visible") return true;
        }
        return of(each).position === "fixed";
      };
      const over = seen().filter((each) => box(each).right > innerWidth + 1 && !isHeld(each));
      return [`the page: ${wide} px`, ...over.map((each) => `${place(each)}: ends at ${Math.round(box(each).right)} px`)];
    },

    // What stays while the page moves below it, and is as wide as half of the screen, takes at most half of its height.
    bars() {
      const isStuck = (each) => ["fixed", "sticky"].includes(of(each).position) && box(each).width > innerWidth / 2;
      const stuck = seen().filter((each) => isStuck(each) && box(each).right > 0);
      const { top, height } = box(document.querySelector("scratch-calculator") ?? document.querySelector(".md-content"));
      scrollTo({ top: scrollY + top + (height - innerHeight) / 2, behavior: "instant" });
      const rows = new Set();
      for (const each of stuck) {
        for (let y = Math.max(0, Math.round(box(each).top)); y < Math.min(innerHeight, box(each).bottom); y++) rows.add(y);
      }
      scrollTo({ top: 0, behavior: "instant" });
      return rows.size > innerHeight / 2 ? [`${[...new Set(stuck.map(label))].join(", ")}: ${rows.size} of ${innerHeight} px`] : [];
    },

    // What is drawn by its ground alone is gone where a reader's own colours stand in for ours. `ground` is asked before.
    forced() {
      const canvas = [of(document.body).backgroundColor, "rgba(0, 0, 0, 0)"];
      const isDrawn = (style) => edges(style).length || style.outlineStyle !== "none" || style.maskImage !== "none";
      return document.grounds
        .filter((each) => isSeen(each) && canvas.includes(of(each).backgroundColor) && !isDrawn(of(each)))
        .map((each) => `${place(each)}: nothing is seen`);
    },

    ground() {
      const hasGround = (each) => !["rgba(0, 0, 0, 0)", of(each.parentElement).backgroundColor].includes(of(each).backgroundColor);
      const isBare = (each) => !each.textContent.trim() && !each.querySelector("svg, img, input") && each.localName !== "input";
      document.grounds = seen(".md-content").filter((each) => hasGround(each) && isBare(each));
    },

    larger() {
      document.documentElement.style.fontSize = "250%"; // twice of what it is: what a reader has set counts in it
    },

    unfold() {
      for (const each of document.querySelectorAll(".md-content details")) each.open = true;
    },

    styled() {
      const isOurs = (each) => [...each.style].every((name) => name.startsWith("--"));
      return [...document.querySelectorAll("body [style]")]
        .filter((each) => !isOurs(each))
        .map((each) => `${place(each)}: ${each.getAttribute("style")}`);
    },
  };
})();
