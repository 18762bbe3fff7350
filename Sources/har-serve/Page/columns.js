// The columns of the list of entries.
import { html } from "./dom.js";
import * as format from "./format.js";

const text = (value, title) => (cell, row) => {
  cell.textContent = value(row) ?? "";
  if (title) cell.title = title(row) ?? "";
};
const column = (name, title, width, priority, fill, more) =>
  ({ name, title, width, priority, fill, sort: name, ...more });
const optional = { isOptional: true };

function fillURL(cell, row) {
  const { scheme, host, rest } = format.splitURL(row.url);
  if (!cell.firstChild) cell.append(html.span({ class: "host" }), "");
  cell.firstChild.textContent = /^https?:/i.test(scheme) ? host : scheme + host;
  cell.lastChild.data = rest;
  cell.title = row.url;
}

function fillStatus(cell, { status, failed }) {
  if (!cell.firstChild) cell.append(html.span());
  cell.firstChild.className = `status ${format.statusClass(status, failed)}`;
  cell.firstChild.textContent = status > 0 ? status : "failed";
}

/** Returns new columns. `names` are the names of visible ones, or empty for the default. */
export function entryColumns(names) {
  const columns = [column("select", "", 34, 9, text(() => ""), { isFixed: true, sort: null }),
    column("index", "#", 72, 2, text((row) => row.i)), column("method", "Method", 80, 6, text((row) => row.method)),
    column("status", "Status", 72, 8, fillStatus), column("url", "URL", null, 10, fillURL, { minimum: 220, share: 3 }),
    column("host", "Host", 160, 6, text((row) => format.splitURL(row.url).host), optional),
    column("type", "Type", 130, 3, text((row) => row.type?.split(";")[0], (row) => row.type)),
    column("resource", "Resource", 96, 6, text((row) => row.resource), optional),
    column("page", "Page", 96, 6, text((row) => row.page), optional),
    column("started", "Started", 108, 6, text((row) => format.time(row.started)), optional),
    column("size", "Size", 80, 5, text((row) => (row.cached ? "cached" : format.size(row.size)))),
    column("time", "Time", 80, 7, text((row) => format.duration(row.time))),
    column("waterfall", "Waterfall", null, 4, () => {}, { minimum: 180, share: 2, isFixed: true, sort: null }),
  ];
  for (const one of columns) {
    const isShown = names ? names.split(",").includes(one.name) : !one.isOptional;
    one.isHidden = !isShown && one.name !== "select" && one.name !== "url";
  }
  return columns;
}
