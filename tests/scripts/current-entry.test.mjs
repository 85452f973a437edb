import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { device } from "./storage.mjs";

const scripts = "../../site_overrides/javascripts";
const { SavedEntries, recoverFromMirror, parseEntry, getLastWriteDurability } = await import(`${scripts}/saved/store.mjs`);
const { CurrentEntry } = await import(`${scripts}/saved/current-entry.mjs`);

const savedEntries = new SavedEntries("fight/1");
const isSame = (one, other) => one === other;
const queries = () =>
  savedEntries
    .listLatestFirst()
    .map(({ query }) => query)
    .sort();
const AS_PLAYED = { typed: true, isNamed: () => false };
const AS_OPENED = { ...AS_PLAYED, typed: false };

/** A tab of the calculator, with the actions of its user. */
class Tab {
  constructor() {
    this.session = device.inTab();
    this.run(() => (this.current = new CurrentEntry(savedEntries, "open")));
  }

  run(action) {
    device.inTab(this.session);
    return action(this.current);
  }

  /** Open the initial entry, and answer its query. */
  openInitial(query = null) {
    const found = this.run((current) => current.openInitialEntry(query, isSame));
    return found && this.answer(found.query, AS_OPENED);
  }

  async recover(isTouched = false) {
    await recoverFromMirror();
    const found = this.run((current) => current.finishRecoveryAndSaveDeferred(isTouched));
    if (found) this.answer(found.query, AS_OPENED);
    return found;
  }

  answer(query, how = AS_PLAYED) {
    mock.timers.tick(1); // no two writes have the same time
    this.run((current) => current.saveAnswerIfWanted({ query, summary: "", name: "A fight" }, how));
  }

  get shownQuery() {
    return this.current.answer?.query;
  }
}

async function openTab(query = null) {
  const tab = new Tab();
  tab.openInitial(query);
  await tab.recover();
  return tab;
}

mock.timers.enable({ apis: ["Date"], now: 1_800_000_000_000 });
beforeEach(() => device.clear());

test("CurrentEntry reopens the tab's entry, and the latest entry in a new tab", async () => {
  const [one, other] = [await openTab(), await openTab("link")];
  one.answer("a");
  other.answer("b");
  one.answer("a2");
  assert.deepEqual(queries(), ["a2", "b"]);
  assert.equal(other.run((current) => current.openInitialEntry(null, isSame)).query, "b");
  assert.equal((await openTab()).shownQuery, "a2");
});

test("CurrentEntry opens an entry that was recovered after the browser was killed", async () => {
  const tab = await openTab();
  tab.answer("a");
  device.flush();
  for (const query of ["b", "c", "d"]) tab.answer(query);
  await getLastWriteDurability();
  device.kill();
  const reopened = new Tab();
  reopened.openInitial();
  assert.equal(reopened.shownQuery, "a");
  assert.equal((await reopened.recover()).query, "d");
  reopened.answer("e");
  assert.deepEqual(queries(), ["e"]);
});

test("CurrentEntry saves an answer from before the recovery in addition to the recovered entry", async () => {
  const tab = await openTab();
  tab.answer("a");
  device.flush();
  tab.answer("b");
  await getLastWriteDurability();
  device.kill();
  const reopened = new Tab();
  reopened.openInitial();
  const recovery = reopened.recover(true);
  reopened.answer("pressed");
  assert.equal(await recovery, null);
  assert.equal(reopened.shownQuery, "pressed");
  assert.deepEqual(queries(), ["b", "pressed"]);
});

test("CurrentEntry reports a conflict for an answer after the recovery, and overwrites nothing", async () => {
  const tab = await openTab();
  tab.answer("a");
  device.flush();
  tab.answer("b");
  await getLastWriteDurability();
  device.kill();
  const reopened = new Tab();
  reopened.openInitial();
  await reopened.recover(true);
  reopened.answer("pressed");
  assert.equal(reopened.current.conflict, "changed");
  assert.deepEqual(queries(), ["b"]);
});

test("CurrentEntry does not duplicate a recovered entry if a link with the same query is opened", async () => {
  const tab = await openTab();
  tab.answer("a");
  device.flush();
  tab.answer("b");
  await getLastWriteDurability();
  device.kill();
  const restored = new Tab();
  restored.openInitial("b");
  restored.answer("b", AS_OPENED);
  await restored.recover();
  assert.deepEqual(queries(), ["b"]);
});

test("CurrentEntry reports a conflict if another tab writes or deletes the entry", async () => {
  const tab = await openTab();
  tab.answer("a");
  const outdated = await openTab();
  tab.answer("b");
  outdated.answer("c");
  assert.equal(outdated.current.conflict, "changed");
  assert.deepEqual(queries(), ["b"]);
  tab.run((current) => current.deleteEntryAndCloseIfOpen(current.entry.id, false));
  outdated.run((current) => current.detectConflictOrReopen());
  assert.equal(outdated.current.conflict, "removed");
});

test("CurrentEntry keeps a conflict after an undo in the other tab until this tab shows the same answer", async () => {
  const tab = await openTab();
  tab.answer("a");
  const outdated = await openTab();
  tab.answer("b");
  outdated.answer("c");
  tab.answer("a", { ...AS_OPENED, isUndo: true });
  outdated.run((current) => current.detectConflictOrReopen());
  assert.equal(outdated.current.conflict, "changed");
  outdated.answer("a", { ...AS_OPENED, isUndo: true });
  assert.equal(outdated.current.conflict, "");
});

test("CurrentEntry does not restore an entry that is deleted while its answer is pending", async () => {
  const tab = await openTab();
  tab.answer("a");
  const reopened = new Tab();
  const { id } = reopened.run((current) => current.openInitialEntry(null, isSame));
  const text = reopened.run((current) => current.deleteEntryAndCloseIfOpen(id, true));
  reopened.answer("a", AS_OPENED);
  assert.deepEqual(queries(), []);
  assert.ok(reopened.current.isOffered);
  reopened.run((current) => current.undoDeletion(id, text, "a"));
  assert.equal(reopened.current.entry.id, id);
  reopened.run((current) => current.deleteEntryAndCloseIfOpen(id, false));
  reopened.answer("b");
  assert.deepEqual(queries(), ["b"]);
});

// ---- simulation of random actions

const createRandom = (seed) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};

/** Two tabs with one list, a storage that is flushed at times, and a browser that is killed. Checks that no tab overwrites
 *  a text that it has not shown, and that a kill loses nothing that was shown as durable. */
class Simulation {
  constructor(seed) {
    this.random = createRandom(seed);
    this.lastNumber = 0;
    this.tab = null; // the tab with the current action
    this.flushed = new Set(); // the queries on the disk when the browser was killed: only these are updated
    this.log = [`seed ${seed}`];
  }

  checkOverwrite(before, after) {
    const lost = parseEntry(before);
    const isKnown = !lost || parseEntry(after)?.query === lost.query || (this.tab?.known ?? this.flushed).has(lost.query);
    assert.ok(isKnown, `overwritten without being shown: ${lost?.query}\n${this.log.join("\n")}`);
  }

  pick(list) {
    return list[Math.floor(this.random() * list.length)];
  }

  async startTab(query = null) {
    const tab = new Tab();
    tab.known = new Set();
    this.tab = tab;
    tab.openInitial(query);
    if (tab.shownQuery) tab.known.add(tab.shownQuery);
    const isTouched = this.random() < 0.2;
    const recovery = tab.recover(isTouched);
    if (isTouched) this.press(tab);
    this.tab = null;
    await recovery;
    if (tab.shownQuery) tab.known.add(tab.shownQuery);
    return tab;
  }

  press(tab) {
    const query = `q${(this.lastNumber += 1)}`;
    tab.known.add(query);
    tab.answer(query);
  }

  async run(steps) {
    await device.clear();
    device.watch((name, before, after) => this.checkOverwrite(before, after));
    let tabs = [await this.startTab(), await this.startTab()];
    for (let step = 0; step < steps; step += 1) {
      const [tab, act] = [this.pick(tabs), this.pick(Object.keys(ACTIONS))];
      this.log.push(`${tabs.indexOf(tab)} ${act}: ${JSON.stringify(queries())}, seen ${tab.shownQuery}`);
      this.tab = tab;
      tab.run((current) => ACTIONS[act](this, tab, current));
      this.tab = null;
      if (this.random() < 0.2) device.flush();
      if (this.random() < 0.05) tabs = await this.kill();
    }
    await this.kill();
  }

  async kill() {
    await getLastWriteDurability();
    const shown = queries();
    device.kill();
    this.flushed = new Set(queries());
    const before = this.lastNumber;
    const tabs = [await this.startTab(), await this.startTab()];
    const pressed = (query) => Number(query.slice(1)) > before;
    const recovered = queries().filter((query) => !pressed(query));
    assert.deepEqual(
      [...new Set(recovered)],
      [...new Set(shown)].filter((query) => recovered.includes(query)),
      this.log.join("\n"),
    );
    const gone = shown.filter((query) => !recovered.includes(query));
    const isLost = (query) => !tabs.some((tab) => tab.known.has(query)); // unless a user has continued it
    assert.deepEqual(gone.filter(isLost), [], this.log.join("\n"));
    return tabs;
  }
}

const ACTIONS = {
  press: (simulation, tab) => simulation.press(tab),
  pressAgain: (simulation, tab) => simulation.press(tab),
  undo(simulation, tab) {
    const query = simulation.pick([...tab.known]);
    if (query) tab.answer(query, { ...AS_OPENED, isUndo: true });
  },
  check: (simulation, tab, current) => current.detectConflictOrReopen(),
  show(simulation, tab, current) {
    const entry = simulation.pick(savedEntries.listLatestFirst());
    if (!entry || !current.openEntry(entry.id)) return;
    tab.known.add(entry.query);
    tab.answer(entry.query, AS_OPENED);
  },
  copy(simulation) {
    const entry = simulation.pick(savedEntries.listLatestFirst());
    if (entry) savedEntries.addAndMirror({ ...entry, query: `q${(simulation.lastNumber += 1)}` });
  },
  renderList(simulation, tab) {
    tab.list = savedEntries.listLatestFirst();
  },
  rename(simulation, tab, current) {
    const entry = simulation.pick(tab.list ?? []);
    if (entry) current.renameAndReturnIfOpen(entry, (each) => ({ ...each, name: "Renamed" }));
  },
  remove(simulation, tab, current) {
    const entry = simulation.pick(savedEntries.listLatestFirst());
    if (!entry) return;
    tab.known.add(entry.query); // the list shows it
    tab.deleted = [entry.id, current.deleteEntryAndCloseIfOpen(entry.id, simulation.random() < 0.3)];
  },
  restore(simulation, tab, current) {
    if (!tab.deleted) return;
    current.undoDeletion(...tab.deleted, tab.shownQuery);
    const text = tab.deleted[1];
    assert.ok(queries().includes(parseEntry(text).query), "an undone deletion has restored nothing");
    tab.deleted = null;
  },
  choose(simulation, tab, current) {
    if (!current.conflict) return;
    const { entry, answer } = current;
    if (simulation.random() < 0.5) return current.saveAsNewEntryAndOpen({ ...(answer ?? entry) });
    const theirs = current.openEntry(entry.id);
    if (!theirs) return;
    tab.known.add(theirs.query);
    tab.answer(theirs.query, AS_OPENED);
  },
};

test("CurrentEntry overwrites nothing unread and loses nothing durable in random actions of two tabs", async () => {
  for (let seed = 1; seed <= Number(process.env.SIMULATIONS ?? 60); seed += 1) await new Simulation(seed).run(60);
});

test("CurrentEntry leaves the open entry unchanged if the answer is saved as a new entry", async () => {
  const tab = await openTab();
  tab.answer("a=1");
  tab.answer("b=1", { ...AS_PLAYED, newEntry: true });
  assert.deepEqual(queries(), ["a=1", "b=1"]);
});

test("CurrentEntry opens no entry after a reload if the tab had none", async () => {
  const tab = await openTab();
  tab.answer("a");
  tab.run((current) => current.saveAnswerIfWanted({ query: "", summary: "", name: "" }, AS_PLAYED)); // started over
  assert.equal(
    tab.run(() => new CurrentEntry(savedEntries, "open").openInitialEntry(null, isSame)),
    null,
  );
  assert.equal((await openTab()).shownQuery, "a", "a new tab opens the latest entry");
});

const labels = () =>
  savedEntries
    .listLatestFirst()
    .map(({ query, label }) => [query, label])
    .sort();

test("CurrentEntry gives a new entry that continues the open one its campaign, also after unsaved answers", async () => {
  const tab = await openTab();
  tab.answer("long");
  tab.run((current) => current.renameAndReturnIfOpen(current.entry, (each) => ({ ...each, label: "Tuesdays" })));
  tab.answer("next", { ...AS_PLAYED, newEntry: "same-campaign" });
  tab.answer("set up", { ...AS_PLAYED, newEntry: "same-campaign", isTransient: true });
  tab.answer("changed");
  tab.answer("elsewhere", { ...AS_PLAYED, newEntry: true });
  assert.deepEqual(labels(), [
    ["changed", "Tuesdays"],
    ["elsewhere", ""],
    ["long", "Tuesdays"],
    ["next", "Tuesdays"],
  ]);
  tab.answer("next set up", { ...AS_PLAYED, newEntry: "same-campaign", isTransient: true });
  tab.run((current) => current.openEntry(savedEntries.listLatestFirst().find(({ query }) => query === "changed").id));
  tab.run((current) => current.saveAsNewEntryAndOpen({ query: "a copy", summary: "", name: "A copy" }));
  assert.deepEqual(labels()[0], ["a copy", "Tuesdays"]);
});

test("CurrentEntry opens the earlier entry on an undo across entries, and overwrites neither", async () => {
  const tab = await openTab();
  tab.answer("one");
  tab.answer("two", { ...AS_PLAYED, newEntry: true });
  tab.answer("two changed");
  const back = { ...AS_OPENED, isUndo: true, isOtherEntry: true, needsInteraction: true };
  tab.answer("one", back);
  tab.answer("one changed");
  assert.deepEqual(queries(), ["one changed", "two changed"]);
  tab.answer("an example", back);
  assert.deepEqual([queries(), tab.current.entry, tab.current.isOffered], [["one changed", "two changed"], null, true]);
});

test("CurrentEntry numbers entries whose answers have the same name", async () => {
  const tab = await openTab();
  const fight = (query) =>
    tab.run((current) => current.saveAnswerIfWanted({ query, summary: "", name: "Ann against Bo" }, { ...AS_PLAYED, newEntry: true }));
  fight("one");
  fight("two");
  assert.deepEqual(
    savedEntries
      .listLatestFirst()
      .map(({ name }) => name)
      .sort(),
    ["Ann against Bo", "Ann against Bo 2"],
  );
});
