// The tab Messages: the messages of a WebSocket connection.
import { html } from "./dom.js";
import * as format from "./format.js";
import { column, Grid } from "./grid.js";
import { PageCache } from "./page-cache.js";
import { get } from "./service.js";

const earliestDate = 1e11;
export function messagesTab(entry, a) {
  const detail = html.pre({ class: "message-detail", tabindex: "0", "aria-label": "Selected message", hidden: true });
  const cache = new PageCache({
    load: async (from, count, signal) => {
      const result = await get("messages", { a, i: entry.i, from, count }, signal);
      return { ...result, rows: result.messages };
    },
    loaded: ({ count }) => grid.show(count),
    failed: (error) => {
      grid.show(0);
      grid.empty.textContent = error.message;
    },
  });
  const show = (position) => {
    const { text = "", isCut, size } = cache.get(position) ?? {};
    detail.hidden = text === "";
    detail.textContent = text + (isCut ? `\n… (${format.size(size)} in total)` : "");
  };
  const grid = new Grid({
    label: "Messages", cache, message: "The connection has no messages.", activated: show,
    clicked: (_, position) => show(position), columns: [
      column("direction", "Direction", 96, 5, ({ outgoing }) => (outgoing ? "↑ sent" : "↓ received")),
      column("text", "Message", null, 9, ({ kind, text }) => (kind === "text" ? "" : `${kind}: `) + text.slice(0, 400)),
      column("size", "Size", 76, 3, ({ size }) => format.size(size)),
      column("time", "Time", 112, 4, ({ time }) => (time > earliestDate ? format.time : format.duration)(time)),
    ],
  });
  cache.request(0, 1);
  return html.div({ class: "messages-tab" }, grid.container, detail);
}
