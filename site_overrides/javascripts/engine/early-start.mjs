// Starts Python before the page is parsed, on the home page, which rolls dice.
import { pythonClient } from "./client.mjs";

if (!navigator.connection?.saveData) pythonClient.start("dice");
