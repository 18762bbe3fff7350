// The dialog that lists the keys and explains the filter.
import { html, openDialog } from "./dom.js";
import { service } from "./service.js";

const keys = [["/", "Move to the filter"], ["?", "Show this help"], ["↑ ↓ Home End", "Move in the list"],
  ["Enter", "Open the entry"], ["Esc", "Close the entry, or clear the selection"],
  ["Space or X", "Select the entry"], ["Shift + ↑ ↓", "Extend the selection"], ["Ctrl or ⌘ + A", "Select all entries"],
  ["C F S H", "Copy as curl, fetch, Swift stub or HAR"], ["← →", "Change the tab, or close and open a JSON value"],
];
const words = [["word", "The URL contains the text. Use quotes for spaces."], ["-word", "Excludes entries."],
  ["name:value", "A condition. Separate several values with commas."],
];

export function openHelp() {
  if (document.querySelector("dialog[open]")) return;
  const list = (label, pairs, name) => html.section(html.h3(label), html.dl(
    pairs.map(([term, text]) => [html.dt(html[name](term)), html.dd(text)])));
  const conditions = service.conditions.map(({ name, help }) => [`${name}:`, help]);
  openDialog("Help", html.div({ class: "help" }, list("Keys", keys, "kbd"),
    list("Filter", [...words, ...conditions], "code")), { class: "wide" });
}
