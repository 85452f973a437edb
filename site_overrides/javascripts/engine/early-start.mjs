// Starts Python before the page is parsed, on pages that consist of a calculator.
import { pythonClient } from "./client.mjs";

if (!navigator.connection?.saveData) pythonClient.start();
