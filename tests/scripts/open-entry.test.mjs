import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { device } from "./storage.mjs";

const scripts = "../../site_overrides/javascripts";
const { SavedEntries, recoverFromMirror, parseEntry, pendingWrite } = await import(`${scripts}/saved/store.mjs`);
const { CurrentEntry } = await import(`${scripts}/saved/current-entry.mjs`);

const kept = new SavedEntries("fight/1");
const isSame = (one, other) => one === other;
const queries = () =>
  kept
    .entries()
    .map(({ query }) => query)
    .sort();
const AS_PLAYED = { typed: true, isNamed: () => false };
const AS_OPENED = { ...AS_PLAYED, typed: false };

/** A tab of the calculator, and what its reader does there. */
class Tab {
  constructor() {
    this.session = device.inTab();
    this.here(() => (this.open = new CurrentEntry(kept, "open")));
  }

  here(act) {
    device.inTab(this.session);
    return act(this.open);
  }

  /** Begin, and answer what was found. */
  begin(asked = null) {
    const found = this.here((open) => open.begin(asked, isSame));
    return found && this.answer(found.query, AS_OPENED);
  }

  async settle(isTouched = false) {
    await recoverFromMirror();
    const found = this.here((open) => open.settle(isTouched));
    if (found) this.answer(found.query, AS_OPENED);
    return found;
  }

  answer(query, how = AS_PLAYED) {
    mock.timers.tick(1); // no two writings are of one moment
    this.here((open) => open.answered({ query, summary: "", name: "A fight" }, how));
  }

  get seen() {
    return this.open.answer?.query;
  }
}

async function settled(asked = null) {
  const tab = new Tab();
  tab.begin(asked);
  await tab.settle();
  return tab;
}

mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
beforeEach(() => device.clear());

test("a tab goes on with what it had open, and a new one with the latest", async () => {
  const [one, other] = [await settled(), await settled("link")];
  one.answer("a");
  other.answer("b");
  one.answer("a2");
  assert.deepEqual(queries(), ["a2", "b"]);
  assert.equal(other.here((open) => open.begin(null, isSame)).query, "b");
  assert.equal((await settled()).seen, "a2");
});

test("what a killed browser had not written is what the tab goes on with", async () => {
  const tab = await settled();
  tab.answer("a");
  device.flush();
  for (const query of ["b", "c", "d"]) tab.answer(query);
  await pendingWrite();
  device.kill();
  const next = new Tab();
  next.begin();
  assert.equal(next.seen, "a");
  assert.equal((await next.settle()).query, "d");
  next.answer("e");
  assert.deepEqual(queries(), ["e"]);
});

test("whoever has pressed before that is asked, and has both", async () => {
  const tab = await settled();
  tab.answer("a");
  device.flush();
  tab.answer("b");
  await pendingWrite();
  device.kill();
  const next = new Tab();
  next.begin();
  const settling = next.settle(true);
  next.answer("pressed");
  assert.equal(await settling, null);
  assert.equal(next.seen, "pressed");
  assert.deepEqual(queries(), ["b", "pressed"]);
});

test("an answer that is under way when something is brought back is asked about, not written over it", async () => {
  const tab = await settled();
  tab.answer("a");
  device.flush();
  tab.answer("b");
  await pendingWrite();
  device.kill();
  const next = new Tab();
  next.begin();
  await next.settle(true);
  next.answer("pressed");
  assert.equal(next.open.conflict, "changed");
  assert.deepEqual(queries(), ["b"]);
});

test("what a link has opened is no second entry where the database brings the very same back", async () => {
  const tab = await settled();
  tab.answer("a");
  device.flush();
  tab.answer("b");
  await pendingWrite();
  device.kill();
  const restored = new Tab();
  restored.begin("b");
  restored.answer("b", AS_OPENED);
  await restored.settle();
  assert.deepEqual(queries(), ["b"]);
});

test("what another tab has written is not written over, nor what it has deleted taken for changed", async () => {
  const tab = await settled();
  tab.answer("a");
  const behind = await settled();
  tab.answer("b");
  behind.answer("c");
  assert.equal(behind.open.conflict, "changed");
  assert.deepEqual(queries(), ["b"]);
  tab.here((open) => open.remove(open.entry.id, false));
  behind.here((open) => open.checkForConflict());
  assert.equal(behind.open.conflict, "removed");
});

test("a conflict stays where the other tab goes back to what both began with, for what is seen here is another", async () => {
  const tab = await settled();
  tab.answer("a");
  const behind = await settled();
  tab.answer("b");
  behind.answer("c");
  tab.answer("a", { ...AS_OPENED, isBack: true });
  behind.here((open) => open.checkForConflict());
  assert.equal(behind.open.conflict, "changed");
  behind.answer("a", { ...AS_OPENED, isBack: true });
  assert.equal(behind.open.conflict, "");
});

test("an entry that is deleted while its answer is under way does not come back with it", async () => {
  const tab = await settled();
  tab.answer("a");
  const next = new Tab();
  const { id } = next.here((open) => open.begin(null, isSame));
  const text = next.here((open) => open.remove(id, true));
  next.answer("a", AS_OPENED);
  assert.deepEqual(queries(), []);
  assert.ok(next.open.isOffered);
  next.here((open) => open.restore(id, text, "a"));
  assert.equal(next.open.entry.id, id);
  next.here((open) => open.remove(id, false));
  next.answer("b");
  assert.deepEqual(queries(), ["b"]);
});

// ---- any order of all of it

const seeded = (seed) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** Two tabs, a list that both can use, a storage that is flushed now and then, and a browser that is killed. Holds that
 *  no text is written over by a tab that has not seen it, and that a kill takes nothing that was shown as lasting. */
class Evening {
  constructor(seed) {
    this.chance = seeded(seed);
    this.serial = 0;
    this.tab = null; // whose reader acts
    this.old = new Set(); // what the storage had on the disk when the browser was killed: that alone is brought up to date
    this.story = [`seed ${seed}`];
  }

  hold(before, after) {
    const lost = parseEntry(before);
    const isSeen = !lost || parseEntry(after)?.query === lost.query || (this.tab?.known ?? this.old).has(lost.query);
    assert.ok(isSeen, `written over unseen: ${lost?.query}\n${this.story.join("\n")}`);
  }

  pick(list) {
    return list[Math.floor(this.chance() * list.length)];
  }

  async begin(asked = null) {
    const tab = new Tab();
    tab.known = new Set();
    this.tab = tab;
    tab.begin(asked);
    if (tab.seen) tab.known.add(tab.seen);
    const isTouched = this.chance() < 0.2;
    const settling = tab.settle(isTouched);
    if (isTouched) this.press(tab);
    this.tab = null;
    await settling;
    if (tab.seen) tab.known.add(tab.seen);
    return tab;
  }

  press(tab) {
    const query = `q${(this.serial += 1)}`;
    tab.known.add(query);
    tab.answer(query);
  }

  async play(steps) {
    await device.clear();
    device.watch((name, before, after) => this.hold(before, after));
    let tabs = [await this.begin(), await this.begin()];
    for (let step = 0; step < steps; step += 1) {
      const [tab, act] = [this.pick(tabs), this.pick(Object.keys(ACTS))];
      this.story.push(`${tabs.indexOf(tab)} ${act}: ${JSON.stringify(queries())}, seen ${tab.seen}`);
      this.tab = tab;
      tab.here((open) => ACTS[act](this, tab, open));
      this.tab = null;
      if (this.chance() < 0.2) device.flush();
      if (this.chance() < 0.05) tabs = await this.kill();
    }
    await this.kill();
  }

  async kill() {
    await pendingWrite();
    const shown = queries();
    device.kill();
    this.old = new Set(queries());
    const before = this.serial;
    const tabs = [await this.begin(), await this.begin()];
    const pressed = (query) => Number(query.slice(1)) > before;
    const back = queries().filter((query) => !pressed(query));
    assert.deepEqual(
      [...new Set(back)],
      [...new Set(shown)].filter((query) => back.includes(query)),
      this.story.join("\n"),
    );
    const gone = shown.filter((query) => !back.includes(query));
    const isGone = (query) => !tabs.some((tab) => tab.known.has(query)); // unless a reader has gone on from it
    assert.deepEqual(gone.filter(isGone), [], this.story.join("\n"));
    return tabs;
  }
}

const ACTS = {
  press: (evening, tab) => evening.press(tab),
  pressAgain: (evening, tab) => evening.press(tab),
  back(evening, tab) {
    const query = evening.pick([...tab.known]);
    if (query) tab.answer(query, { ...AS_OPENED, isBack: true });
  },
  look: (evening, tab, open) => open.checkForConflict(),
  show(evening, tab, open) {
    const entry = evening.pick(kept.entries());
    if (!entry || !open.show(entry.id)) return;
    tab.known.add(entry.query);
    tab.answer(entry.query, AS_OPENED);
  },
  copy(evening) {
    const entry = evening.pick(kept.entries());
    if (entry) kept.add({ ...entry, query: `q${(evening.serial += 1)}` });
  },
  drawn(evening, tab) {
    tab.list = kept.entries();
  },
  rename(evening, tab, open) {
    const entry = evening.pick(tab.list ?? []);
    if (entry) open.rename(entry, (each) => ({ ...each, name: "Renamed" }));
  },
  remove(evening, tab, open) {
    const entry = evening.pick(kept.entries());
    if (!entry) return;
    tab.known.add(entry.query); // the list shows it
    tab.deleted = [entry.id, open.remove(entry.id, evening.chance() < 0.3)];
  },
  restore(evening, tab, open) {
    if (!tab.deleted) return;
    open.restore(...tab.deleted, tab.seen);
    const text = tab.deleted[1];
    assert.ok(queries().includes(parseEntry(text).query), "a deletion was taken back, and is not");
    tab.deleted = null;
  },
  choose(evening, tab, open) {
    if (!open.conflict) return;
    const { entry, answer } = open;
    if (evening.chance() < 0.5) return open.saveAsCopy({ ...(answer ?? entry) });
    const theirs = open.show(entry.id);
    if (!theirs) return;
    tab.known.add(theirs.query);
    tab.answer(theirs.query, AS_OPENED);
  },
};

test("in any order of acts in two tabs nothing unread is written over, and a kill takes nothing that lasts", async () => {
  for (let seed = 1; seed <= Number(process.env.EVENINGS ?? 60); seed += 1) await new Evening(seed).play(60);
});

test("what is asked to stand beside becomes an entry of its own, and the open one stays as it was", async () => {
  const tab = await settled();
  tab.answer("a=1");
  tab.answer("b=1", { ...AS_PLAYED, isBeside: true });
  assert.deepEqual(queries(), ["a=1", "b=1"]);
});

test("a tab that has nothing open has nothing open when it is loaded again", async () => {
  const tab = await settled();
  tab.answer("a");
  tab.here((open) => open.answered({ query: "", summary: "", name: "" }, AS_PLAYED)); // begun anew
  assert.equal(
    tab.here(() => new CurrentEntry(kept, "open").begin(null, isSame)),
    null,
  );
  assert.equal((await settled()).seen, "a", "a new tab goes on with the latest");
});

const labels = () =>
  kept
    .entries()
    .map(({ query, label }) => [query, label])
    .sort();

test("what goes on beside what is open stays in its campaign, at once and after answers that are not saved", async () => {
  const tab = await settled();
  tab.answer("long");
  tab.here((open) => open.rename(open.entry, (each) => ({ ...each, label: "Tuesdays" })));
  tab.answer("next", { ...AS_PLAYED, isBeside: "along" });
  tab.answer("set up", { ...AS_PLAYED, isBeside: "along", isUnkept: true });
  tab.answer("changed");
  tab.answer("elsewhere", { ...AS_PLAYED, isBeside: true });
  assert.deepEqual(labels(), [
    ["changed", "Tuesdays"],
    ["elsewhere", ""],
    ["long", "Tuesdays"],
    ["next", "Tuesdays"],
  ]);
  tab.answer("next set up", { ...AS_PLAYED, isBeside: "along", isUnkept: true });
  tab.here((open) => open.show(kept.entries().find(({ query }) => query === "changed").id));
  tab.here((open) => open.saveAsCopy({ query: "a copy", summary: "", name: "A copy" }));
  assert.deepEqual(labels()[0], ["a copy", "Tuesdays"]);
});

test("undo across entries opens the earlier one and writes over neither", async () => {
  const tab = await settled();
  tab.answer("one");
  tab.answer("two", { ...AS_PLAYED, isBeside: true });
  tab.answer("two changed");
  const back = { ...AS_OPENED, isBack: true, isElsewhere: true, isKeptTouched: true };
  tab.answer("one", back);
  tab.answer("one changed");
  assert.deepEqual(queries(), ["one changed", "two changed"]);
  tab.answer("an example", back);
  assert.deepEqual([queries(), tab.open.entry, tab.open.isOffered], [["one changed", "two changed"], null, true]);
});

test("no two entries are kept under one name that the answers give", async () => {
  const tab = await settled();
  const fight = (query) =>
    tab.here((open) => open.answered({ query, summary: "", name: "Ann against Bo" }, { ...AS_PLAYED, isBeside: true }));
  fight("one");
  fight("two");
  assert.deepEqual(
    kept
      .entries()
      .map(({ name }) => name)
      .sort(),
    ["Ann against Bo", "Ann against Bo 2"],
  );
});
