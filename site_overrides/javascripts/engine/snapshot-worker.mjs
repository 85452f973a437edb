// The entry of the second worker, which starts Python, saves a snapshot of its memory for the next start, and closes.
import "./worker.mjs";
