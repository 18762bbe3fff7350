// The state of the page, kept in the fragment of its URL, so that reload and Back restore it. All values are texts.
const defaults = {
  view: "entries", source: "0", filter: "", sort: "index", order: "asc", entry: "", tab: "headers", at: "0",
  columns: "", left: "", right: "", change: "",
};
const observers = [];
let values = read();
function read() { return { ...defaults, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) }; }

function replace(next) {
  const before = values;
  values = next;
  const changed = new Set(Object.keys(defaults).filter((key) => before[key] !== values[key]));
  if (changed.size > 0) for (const observer of observers) observer(values, changed);
}
export function current() { return values; }
/** Changes values. `push` adds an entry to the browser's history, so that Back returns to the previous values. */
export function update(changes, { push = false } = {}) {
  const next = { ...values };
  for (const [key, value] of Object.entries(changes)) next[key] = String(value);
  const stored = Object.entries(next).filter(([key, value]) => key in defaults && value !== defaults[key]);
  const fragment = `#${new URLSearchParams(stored)}`;
  if (fragment !== (location.hash || "#")) history[push ? "pushState" : "replaceState"](null, "", fragment);
  replace(next);
}
/** Calls the observer after each change, with the values and the names of changed values. */
export function observe(observer) { observers.push(observer); }

addEventListener("popstate", () => replace(read()));
