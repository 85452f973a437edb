// Layout checks: each function lists the violations on the rendered page as `place: value`.
// look.py lists the pages, states and screens.
(() => {
  const of = (each, pseudo) => getComputedStyle(each, pseudo);
  const box = (each) => each.getBoundingClientRect();
  const SIDES = ["Top", "Right", "Bottom", "Left"];
  const edges = (style) => SIDES.filter((side) => parseFloat(style[`border${side}Width`]));

  const isSeen = (each) => {
    const { width, height } = box(each); // text for screen readers only is one pixel wide
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

  /** Return the boxes of an element's own lines of text. */
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

    // Exceptions: †, superscripts and subscripts (relative to their text), inline code (adjusted to the text's height, in
    // another font), and drawings, which are scaled as a whole.
    sizes() {
      const scale = [13, 15, 17, 18, 21, 27, 32, 39];
      const excepted = "sup, sub, code, kbd, .ruling-mark > summary, svg[viewBox]";
      return seen()
        .filter((each) => (own(each) || isTyped(each)) && !each.closest(excepted))
        .filter((each) => px(of(each).fontSize) > 0) // 0 if a sign replaces the text, which is for screen readers
        .filter((each) => !isAmong(px(of(each).fontSize), scale))
        .map((each) => `${place(each)}: ${px(of(each).fontSize)} px`);
    },

    // Exceptions: hairlines, inline elements, whose paddings belong to their line, and drawings.
    // The gutter of line numbers is as wide as its digits, and starts at the height of the text next to it.
    spaces() {
      const isGutter = (each) => each.matches(".line-numbers__field:has(> .line-numbers:not(:empty)), .line-numbers");
      const scale = [4, 8, 12, 16, 24, 32, 48, 64];
      const names = [...SIDES.map((side) => `padding${side}`), "rowGap", "columnGap"];
      return seen(".md-content")
        .filter((each) => of(each).display !== "inline" && !each.closest("svg, code, kbd, sup, sub") && !isGutter(each))
        .flatMap((each) => names.map((name) => [each, name, px(of(each)[name])]))
        .filter(([, , length]) => length > 2 && !isAmong(length, scale))
        .map(([each, name, length]) => `${place(each)}: ${name} ${length} px`);
    },

    // Links, the current page, the primary button and †, which opens like a link, may have the accent colour.
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

    // A calculator or a screen has at most one primary button, except on the page of components.
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

    // Exceptions: links within a text (also a rule's own) or a table row, elements inside a larger target, such as a check box
    // in its label, and labels of visible fields. A space of a map has 36 px.
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

    // No word is broken across lines. Exceptions: code, text for screen readers, and words wider than the page.
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

    // Controls can be pressed and texts read at every scroll position: just above the bottom bars, just below the top bars,
    // and in the middle. An overlay counts even if presses go through it; a sheet with its own close button does not.
    covered() {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync("* { pointer-events: auto !important; }");
      document.adoptedStyleSheets.push(sheet);
      const controls = pressable().filter((each) => !each.closest(".md-sidebar")); // sized by the theme's scripts
      const clipped = seen(".md-content").filter((each) => of(each).clipPath === "inset(50%)");
      const isShown = (each) => !each.closest("svg, .u-aloud") && !clipped.some((one) => one.contains(each));
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
        if (!isControl && rect.left + 40 > innerWidth && isScrolled(each)) continue; // its box scrolls
        const isItself = (one) => each.contains(one) || [...(each.labels ?? [])].some((label) => label.contains(one));
        const isThrough = (one) => !isPainted(one) || (!isControl && !isItself(one) && isClear(of(one).backgroundColor));
        const across = isControl ? rect.width / 2 : Math.min(rect.width / 2, 40);
        const stack = document.elementsFromPoint(rect.left + across, rect.top + rect.height / 2);
        const over = stack.find((one) => !isThrough(one));
        const isIt = isItself(over) || (!isControl && over?.contains(each));
        const sheets = ".chooser, .explainer, :has(> [data-pull-sheet][open])";
        const isBehindSheet = over?.closest(sheets) && !each.closest(sheets);
        const isBelowMenu = each.closest(".md-footer") && over?.closest(".md-sidebar"); // the theme's script ends the sidebar above the footer
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

    // No text overlaps another, unless a background hides one of them.
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

    // No text is cut by an edge without scrolling, or by an ellipsis.
    // The line above the saved entries may be: it shows as much of their names as fits.
    cut() {
      const hides = (style, axis) => ["hidden", "clip"].includes(style[`overflow${axis}`]);
      return seen(".md-content")
        .filter((each) => own(each) && !each.closest("svg, .u-aloud, [aria-hidden=true], .calculator-saved > summary, .list-row__open"))
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

    // A field says what it is for to the end: neither its example nor what is chosen in it is cut.
    fields() {
      const pen = document.createElement("canvas").getContext("2d");
      const text = (each) => (each.localName === "select" ? each.selectedOptions[0]?.text : each.placeholder) ?? "";
      const room = (each) => {
        const style = of(each);
        const arrow = each.localName === "select" && style.appearance !== "none" ? 4 : 0;
        return each.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - arrow;
      };
      return seen(".md-content")
        .filter((each) => each.matches("select, input:placeholder-shown"))
        .filter((each) => {
          pen.font = of(each).font;
          return pen.measureText(text(each)).width > room(each) + 1;
        })
        .map((each) => `${place(each)}: ${text(each)}`);
    },

    // A digit of the text face is as tall as a capital: an old-style 1 is taken for an I.
    figures() {
      return seen()
        .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\d/.test(node.data)))
        .filter((each) => of(each).fontFamily.includes("Vollkorn") && !of(each).fontVariantNumeric.includes("lining-nums"))
        .map((each) => `${place(each)}: ${each.textContent.trim().slice(0, 30)}`);
    },

    // What is in a line of text stands on it. Excepted: raised and lowered signs.
    baseline() {
      return seen(".md-content")
        .filter((each) => own(each) && of(each).display === "inline" && !each.closest("sup, sub, svg, .ruling-mark"))
        .filter((each) => of(each).verticalAlign !== "baseline")
        .map((each) => `${place(each)}: ${of(each).verticalAlign}`);
    },

    // The cards of a row are as high as each other, and begin at one height.
    cards() {
      const found = [];
      for (const cards of seen(".md-content").filter((each) => each.matches(".cards, .setup__maps"))) {
        const boxes = [...cards.children].filter(isSeen).map(box);
        const isBeside = (one, other) => one.top < other.bottom - 1 && other.top < one.bottom - 1;
        const isEven = (one, other) => Math.abs(one.top - other.top) < 1 && Math.abs(one.height - other.height) < 1;
        if (boxes.some((one) => boxes.some((other) => isBeside(one, other) && !isEven(one, other)))) found.push(place(cards));
      }
      return found;
    },

    // A button is of one of seven kinds, and as high as the others: 40 px, 44 under a finger, 52 in a row of actions, and
    // more for a second line only. What is off has no ground.
    buttons() {
      const probe = document.body.appendChild(document.createElement("i"));
      const colour = (name) => {
        probe.style.color = `var(--${name})`;
        return of(probe).color;
      };
      const names = new Map(["shade", "ink", "line", "edge", "accent"].map((name) => [colour(name), name]));
      probe.style.cssText = "display: block; width: var(--touch)";
      const touch = box(probe).width;
      probe.remove();
      const name = (value) => (isClear(value) ? "clear" : (names.get(value) ?? value));
      const KINDS = {
        "shade clear": { kind: "quiet", sides: [16, 12] },
        "clear edge": { kind: "outlined", sides: [16, 12] },
        "clear clear": { kind: "ghost", sides: [0, 4, 8, 16] },
        "accent accent": { kind: "primary", sides: [16] },
        "shade ink": { kind: "pressed", sides: [12, 8, 0] },
        "clear line": { kind: "off", sides: [16, 12] },
      };
      const isOneLine = (each) => {
        const texts = [each, ...each.querySelectorAll("*")].filter((one) => own(one) && isSeen(one)).flatMap(lines);
        return new Set(texts.map(({ bottom }) => Math.round(bottom / 8))).size < 2 && !each.querySelector("svg");
      };
      const isStretched = (each) => {
        const { top, height } = box(each); // to that of a longer one beside it
        const isBeside = (other) => Math.abs(box(other).top - top) < 1 && Math.abs(box(other).height - height) < 1;
        return [...each.parentElement.children].some((other) => !isOneLine(other) && isBeside(other));
      };
      const isOff = (each) => each.matches(":disabled, .is-spent, .fight-foot__unused");
      const fault = (each) => {
        const style = of(each);
        const look = `${name(style.backgroundColor)} ${name(style.borderTopColor)}`;
        const { kind, sides } = each.closest(".stepper, .track") ? { kind: "stepper", sides: [0] } : (KINDS[look] ?? {});
        if (!kind || (kind === "off" && !isOff(each))) return look;
        if (!isAmong(px(style.paddingLeft), sides)) return `${kind}, ${px(style.paddingLeft)} px at its side`;
        const heights = [touch, ...(each.matches(".act, .play-roll") ? [52] : [])];
        if (!isAmong(px(box(each).height), heights) && isOneLine(each) && !isStretched(each))
          return `${kind}, ${px(box(each).height)} px high`;
        return "";
      };
      return seen(".md-content")
        .filter(
          (each) =>
            each.matches("button, .button, .choice > label") &&
            !each.matches(".list-row__open, .fight-people__look") &&
            !each.closest(".parts"),
        )
        .map((each) => [each, fault(each)])
        .filter(([, words]) => words)
        .map(([each, words]) => `${place(each)}: ${words}`);
    },

    // Fields of one line have one size.
    typed() {
      return seen(".md-content")
        .filter(
          (each) => each.matches("select, input:not([type=checkbox], [type=radio], [type=range], [type=file])") && !each.closest(".parts"),
        )
        .map((each) => [each, `${px(of(each).fontSize)} px, ${px(box(each).height)} px high`])
        .filter(([, words]) => !["18 px, 40 px high", "17 px, 44 px high"].includes(words))
        .map(([each, words]) => `${place(each)}: ${words}`);
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

    // Sticky elements at least half as wide as the screen take at most half of its height.
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

    // An element drawn by its background alone is invisible with forced colours. `ground` runs before.
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
      document.documentElement.style.fontSize = "250%"; // twice the usual size, which includes the user's setting
    },

    unfold() {
      for (const each of document.querySelectorAll(".md-content details")) each.open = true;
    },

    // A script of the theme sets the place and the height of the sidebars.
    styled() {
      const isOurs = (each) => [...each.style].every((name) => name.startsWith("--"));
      return [...document.querySelectorAll("body [style]:not(.md-sidebar, .md-sidebar__scrollwrap)")]
        .filter((each) => !isOurs(each))
        .map((each) => `${place(each)}: ${each.getAttribute("style")}`);
    },
  };
})();
