// What the page's scripts take for granted beyond the DOM as it is declared. `make check` alone reads it.

/** What a selector finds is known to the template alone. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
  readonly dataset: DOMStringMap;
  readonly disabled?: boolean;
}

/** A listener of the window's may hear of what is no element. */
interface EventTarget {
  closest?(selectors: string): any;
  matches?: any;
}

interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}

interface PerformanceEntry {
  readonly type?: string;
}

interface FileSystemFileHandle {
  createSyncAccessHandle(options?: { mode: string }): Promise<any>;
}

interface Worker {
  /** Held as long as it lives. */
  lockName?: string;
}

interface Window {
  /** Material's own: each page that instant navigation has loaded. */
  readonly document$: { subscribe(heard: () => void): void };
  /** What Pyodide's script, as the build leaves it, calls with the memory of a start that is remembered. */
  restoreMemory?: (heap: Uint8Array) => void;
}
