// Declarations for the page's scripts beyond TypeScript's DOM library. Only `tsc` reads this file, in `make check`.

/** Only the templates know which element a selector finds, so its type is `any`; test_property_names.py checks the properties. */
interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Element {
  closest(selectors: string): any;
  readonly dataset: DOMStringMap;
  readonly disabled?: boolean;
}

/** The target of an event that bubbles to the window may be no element. */
interface EventTarget {
  closest?(selectors: string): any;
  matches?: any;
}

/** In Chromium only. */
interface Navigator {
  readonly connection?: { readonly saveData: boolean };
}

interface PerformanceEntry {
  /** Of a navigation: "navigate", "reload", "back_forward" or "prerender". */
  readonly type?: string;
}

interface XMLHttpRequest {
  /** Whether this requests the index of the search, see lazy-search.js. */
  isOfSearch?: boolean;
}

/** In dedicated workers only; TypeScript declares it in its library for workers. */
interface FileSystemFileHandle {
  createSyncAccessHandle(options?: { mode: string }): Promise<FileSystemSyncAccessHandle>;
}

interface FileSystemSyncAccessHandle {
  getSize(): number;
  read(into: Uint8Array): number;
  write(bytes: ArrayBufferView, options?: { at: number }): number;
  flush(): void;
  close(): void;
}

interface Worker {
  /** The name of the lock that the worker holds while it runs. */
  lockName?: string;
}

interface Window {
  /** Restores a snapshot of Python's memory; Pyodide's script, as the build patches it, calls it. */
  restoreMemory?: (heap: Uint8Array) => void;
}

/** Of the theme, Material for MkDocs: emits after each page that instant navigation has loaded. */
declare var document$: { subscribe(onPageLoaded: () => void): void } | undefined;

/** The build writes the content of this file into worker.mjs. */
declare module "*/files.mjs" {
  /** URLs of Pyodide's published files, and of the trimmed ones. */
  export const pyodideFolder: string;
  export const leanFolder: string;
  export const lockFile: object;
  /** Whether the interpreter's script can restore a snapshot. */
  export const supportsSnapshots: boolean;
  /** A sample query of each calculator by its name. */
  export const samples: Record<string, string>;
  export const firstCalculators: string[];
  export const modules: string[];
  export const templates: string[];
}

/** The build copies this package next to the scripts. */
declare module "*/idiomorph.esm.js" {
  export const Idiomorph: { morph(oldNode: Node, newContent: Node[] | Node | string, options?: object): Node[] };
}

/** The worker that the head of the page has created, and its messages until the client takes both (inline/early-worker.js). */
declare var scratchEarlyStart: { worker: Worker; messages: import("../../site_overrides/javascripts/engine/worker.mjs").WorkerMessage[] } | undefined;

/** Requests of the browser to close something, such as Back on Android; Firefox and Safari have none. */
interface CloseWatcher {
  onclose: (() => void) | null;
  destroy(): void;
}
declare var CloseWatcher: (new () => CloseWatcher) | undefined;

/** Time limits in ms that tests set, for slow machines. */
declare var scratchLimits: { start?: number; answer?: number; request?: number } | undefined;
