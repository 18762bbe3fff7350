// The view of the differences between two entries, or between two archives.
import { button, choice, empty, html, labeled, segments, table } from "./dom.js";
import * as format from "./format.js";
import { column, Grid } from "./grid.js";
import { PageCache } from "./page-cache.js";
import { get, latest, service, source } from "./service.js";
import { current, observe, update } from "./state.js";

const changes = { "": "All", changed: "Changed", added: "Added", removed: "Removed", same: "Equal" };
const columns = () => [
  column("change", "Change", 96, 8, ({ change }) => html.span({ class: `change ${change}` }, changes[change])),
  column("left", "Left", 72, 2, ({ left }) => left ?? "–"),
  column("right", "Right", 72, 2, ({ right }) => right ?? "–"),
  column("method", "Method", 80, 5, ({ method }) => method), column("url", "URL", null, 9, ({ url }) => url),
  column("text", "Differences", null, 7, ({ text }) => text),
];

function open(a, i) {
  const isSame = String(a) === current().source;
  update({ view: "entries", source: a, entry: i, ...(isSame ? {} : { filter: "", at: 0 }) }, { push: true });
}

export class CompareView {
  head = html.header();
  content = html.div({ class: "compare-content" });
  element = html.section({ class: "compare page-view", "aria-label": "Compare" }, this.head, this.content);
  #load = latest(async (signal, left, right) => {
    const load = (side) => get("entry", { a: side.split(":")[0], i: side.split(":")[1] }, signal);
    const [result, ...entries] = await Promise.all([get("compare", { left, right }, signal), load(left), load(right)]);
    this.#showEntries(result, [left, right], entries);
  });
  constructor() {
    observe((state, changed) => state.view === "compare" && !changed.has("view")
      && ["left", "right", "change"].some((key) => changed.has(key)) && this.shown());
  }
  /** Shows the comparison of the state: "0:12" is an entry of a source, and "0" a source. */
  shown() {
    const { left, right } = current();
    const names = service.sources.map(({ a, name }) => [String(a), name]);
    if (left.includes(":") && right.includes(":")) {
      this.#load(left, right).catch((error) => this.content.replaceChildren(empty(error.message)));
    } else if (names.length > 1) this.#showSources(names, { left: left || names[0][0], right: right || names[1][0] });
    else {
      this.head.replaceChildren(html.h2("Compare"));
      this.content.replaceChildren(empty("Select two entries in the list, and choose Compare. ",
        "To compare archives, start har view with two files."));
    }
  }
  #showEntries({ equal, differences, more }, sides, entries) {
    this.head.replaceChildren(html.h2("Compare two entries"),
      button("Swap", () => update({ left: sides[1], right: sides[0] })),
      service.sources.length > 1 && button("Compare archives", () => update({ left: "", right: "" }, { push: true })));
    const cards = sides.map((side) => side.split(":")).map(([a, i], index) => html.div({ class: "compared-entry" },
      button(`${source(a).name}, entry ${i}`, () => open(a, i), { class: "link" }),
      html.p(`${entries[index].request.method} ${entries[index].request.url}`)));
    const value = (text, name) => html.td({ class: name },
      text === null ? html.em("missing") : html.pre({ class: "difference" }, text));
    const rows = differences.map(({ part, name, left, right }) => html.tr(
      html.th({ scope: "row" }, html.small(part), name), value(left, "left"), value(right, "right")));
    this.content.replaceChildren(html.div({ class: "compared-entries" }, cards), equal ? empty("The entries are equal.")
      : table("Differences", [`${format.counted(differences.length, "difference")}${more > 0
        ? `, ${format.count(more)} more` : ""}`, "Left", "Right"], rows, { class: "differences rows" }));
  }
  #showSources(names, sides) {
    const filter = segments("Changes", Object.entries(changes), current().change, (change) => update({ change }));
    const picker = (side, title) => labeled(title, choice(names, sides[side], {
      change: (event) => update({ ...sides, [side]: event.target.value }, { push: true }),
    }));
    const cache = new PageCache({
      load: (from, count, signal) => get("compared", { ...sides, q: current().change, from, count }, signal),
      loaded: (result) => {
        const all = result.changed + result.added + result.removed + result.same;
        for (const item of filter.children) {
          const { value } = item.dataset;
          item.replaceChildren(changes[value], html.small(format.count(value === "" ? all : result[value])));
        }
        grid.show(result.count);
      },
      failed: (error) => this.content.replaceChildren(empty(error.message)),
    });
    const openRow = ({ left, right }) => {
      if (left === null) open(sides.right, right);
      else if (right === null) open(sides.left, left);
      else update({ left: `${sides.left}:${left}`, right: `${sides.right}:${right}` }, { push: true });
    };
    const grid = new Grid({
      label: "Compared entries", cache, columns: columns(), message: "No entries.",
      clicked: (_, position) => openRow(cache.get(position)),
      pressed: ({ key }) => key === "Enter" && (openRow(cache.get(grid.active)), true),
    });
    this.head.replaceChildren(html.h2("Compare archives"), picker("left", "Left"), picker("right", "Right"), filter);
    this.content.replaceChildren(grid.container);
    cache.request(0, 1);
  }
}
