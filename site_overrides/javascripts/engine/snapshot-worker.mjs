// A worker of its own that starts Python, leaves a copy of its memory for the next start, and ends.
import "./worker.mjs";
