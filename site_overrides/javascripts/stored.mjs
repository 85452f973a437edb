// What this browser stores for the site; a browser that allows no storage has nothing stored.

export function stored(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

export function storedNames() {
  try {
    return Object.keys(localStorage);
  } catch {
    return [];
  }
}
