// Replaces the Python worker when screenshots are taken: screenshots.py receives each message of the page, and determines
// the worker's answer.
self.addEventListener("message", async ({ data }) => {
  const response = await fetch("worker-messages", { method: "POST", body: JSON.stringify(data) });
  for (const message of await response.json()) self.postMessage(message);
});
