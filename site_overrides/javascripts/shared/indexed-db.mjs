// Databases of IndexedDB with one object store each.

/** Turn a request of IndexedDB into a promise of its result.
 *  @template T
 *  @param {IDBRequest<T>} request
 *  @returns {Promise<T>} */
export const promisifyRequest = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Turn a transaction of IndexedDB into a promise that resolves when its changes are saved.
 *  @param {IDBTransaction} transaction
 *  @returns {Promise<void>} */
export const promisifyTransaction = (transaction) =>
  new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });

/** Open a database, and create it if needed.
 *  @param {string} name
 *  @param {string} objectStore its only object store, whose keys are not part of the values
 *  @returns {Promise<IDBDatabase>} rejects if the browser allows none */
export async function openDatabase(name, objectStore) {
  const request = indexedDB.open(name, 1);
  request.onupgradeneeded = () => request.result.createObjectStore(objectStore);
  return await promisifyRequest(request);
}
