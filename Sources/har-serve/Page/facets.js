// The menu at the side: counts of the entries by page, host, type and status, to filter the list.
import { button, html } from "./dom.js";
import { replacing, values, without } from "./filter-words.js";
import * as format from "./format.js";
import { get, latest, source } from "./service.js";
import { current, update } from "./state.js";

const titles = { page: "Page", status: "Status", type: "Type", host: "Host", method: "Method", resource: "Resource" };
const initial = 7;

export class Facets {
  #counts = {};
  #expanded = new Set();
  #load = latest(async (signal) => {
    const { source: a, filter } = current();
    const load = (q) => get("counts", { a, q }, signal);
    const active = Object.keys(titles).filter((name) => values(filter, name).length > 0);
    const [all, ...own] = await Promise.all([load(filter), ...active.map((name) => load(without(filter, name)))]);
    active.forEach((name, index) => (all[name] = own[index][name]));
    this.#counts = all;
    this.#render();
  });
  constructor(element) { this.element = element; }
  /** Loads the counts of the current filter. A condition does not affect the counts of its own values. */
  show() {
    this.#load().catch(() => this.element.replaceChildren());
  }
  #render() {
    const focused = document.activeElement?.dataset.key;
    this.element.replaceChildren(...Object.entries(titles).map(([name, title]) => {
      const counts = (this.#counts[name] ?? []).map(([value, number]) => [String(value), number]);
      const chosen = values(current().filter, name);
      if (counts.length + chosen.length < 2) return "";
      const visible = this.#expanded.has(name) ? counts
        : counts.filter(([value], index) => index < initial || chosen.includes(value));
      const hidden = counts.length - visible.length;
      const more = hidden > 0 && html.li(button(`Show ${hidden} more`, () => {
        this.#expanded.add(name);
        this.#render();
      }, { class: "more" }));
      return html.section(html.h2(title), html.ul(
        visible.map(([value, number]) => this.#item(name, value, number, chosen)), more));
    }).filter(Boolean));
    if (focused) [...this.element.querySelectorAll("button")].find((item) => item.dataset.key === focused)?.focus();
  }
  #item(name, value, number, chosen) {
    const page = name === "page" && source(current().source).pages.find(({ id }) => id === value);
    const title = page?.title || value;
    const isChosen = chosen.includes(value);
    const next = isChosen ? chosen.filter((one) => one !== value) : [...chosen, value];
    return html.li(button([
      html.span({ class: `name ${name === "status" ? `status ${format.statusClass(Number(value))}` : ""}` },
        name === "status" && !(Number(value) > 0) ? "none" : title),
      html.small(format.count(number)),
    ], () => update({ filter: replacing(current().filter, name, next), at: 0 }),
    { "aria-pressed": isChosen, title, "data-key": `${name}:${value}` }));
  }
}
