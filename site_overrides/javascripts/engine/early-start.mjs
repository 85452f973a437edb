// On a page whose calculator is what it is for: Python starts before the page is even parsed.
import { pythonClient } from "./client.mjs";

if (!navigator.connection?.saveData) pythonClient.start();
