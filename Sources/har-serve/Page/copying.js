// Copying entries to the clipboard.
import { announce, button, html } from "./dom.js";
import { getText } from "./service.js";
import { current } from "./state.js";

/** The keys in the list of entries, the formats in the API, and their titles. */
const formats = { c: ["curl", "curl"], f: ["fetch", "fetch"], s: ["swift", "Swift stub"], h: ["har", "HAR"] };
const limit = 100;

export async function copyText(text, title) {
  const isCopied = await navigator.clipboard.writeText(text).then(() => true, () => false);
  announce(isCopied ? `Copied ${title}`
    : "The browser does not allow access to the clipboard. Allow it for this page, and try again.", !isCopied);
}

/** Copies entries in the format of a key. Returns whether the key has a format. */
export function copyEntries(indices, key) {
  if (!Object.hasOwn(formats, key)) return false;
  const [as, title] = formats[key];
  if (indices === null || indices.length > limit) announce(`Use Export for more than ${limit} entries.`, true);
  else {
    const name = indices.length === 1 ? `entry ${indices[0]}` : `${indices.length} entries`;
    getText("copy", { a: current().source, i: indices.join(), as }).then(
      (text) => copyText(text, `${name} as ${title}`), (error) => announce(error.message, true));
  }
  return true;
}

export function copyButtons(indices) {
  return Object.entries(formats).map(([key, [, title]]) =>
    button([`Copy as ${title}`, html.kbd(key.toUpperCase())], () => copyEntries(indices(), key)));
}
