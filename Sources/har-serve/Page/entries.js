// The view of the list of entries, with its filter, the menu of conditions and the panel of the open entry.
import { entryColumns } from "./columns.js";
import { copyButtons, copyEntries } from "./copying.js";
import { announce, button, delayed, html, menu, whenIdle } from "./dom.js";
import { FilterBox } from "./filter-box.js";
import * as format from "./format.js";
import { Grid } from "./grid.js";
import { PageCache } from "./page-cache.js";
import { get, ready, source } from "./service.js";
import { current, observe, update } from "./state.js";
import { Waterfall } from "./waterfall.js";

const rangeLimit = 10_000;

export class EntriesView {
  #anchor = 0;
  #isRestored = false;
  /** The selected entry indices, or null if all entries of the filter are selected. */
  #selected = new Set();
  /** Modules that the first rows do not need: the panel of an entry, and the counts of the conditions. */
  #loadedPanel;
  #counts;
  #remember = delayed(250, () => update({ at: this.grid.list.firstVisible }));
  #count = delayed(500, () => this.#showCounts());
  #follow = delayed(80, (index) => update({ entry: index }));
  constructor() {
    this.cache = new PageCache({
      load: async (from, count, signal) =>
        (await Promise.all([get("rows", { ...this.#query, from, count }, signal), ready]))[0],
      loaded: (result) => this.#loaded(result), failed: (error) => this.#failed(error),
    });
    this.grid = new Grid({
      label: "Entries", columns: entryColumns(current().columns), cache: this.cache, isSelectable: true,
      pressed: (event) => this.#pressed(event), clicked: (event, position) => this.#clicked(event, position),
      sorted: (column) => this.#sorted(column), decorate: (row, value) => this.#decorate(row, value),
      activated: (position) => current().entry !== "" && this.#follow(this.cache.get(position)?.i ?? current().entry),
      rendered: (first, last) => {
        this.waterfall?.show(first, last);
        if (this.#isRestored) this.#remember();
      },
    });
    this.waterfall = new Waterfall(this.grid);
    this.filterBox = new FilterBox({ leave: () => this.grid.element.focus() });
    this.facets = html.aside({ class: "facets", "aria-label": "Conditions", hidden: innerWidth <= 1100 });
    this.count = html.output({ class: "count" });
    this.selectionBar = html.div({ class: "selection-bar", role: "status", hidden: true });
    const toggle = button("Conditions", () => {
      this.facets.hidden = !this.facets.hidden;
      toggle.setAttribute("aria-expanded", !this.facets.hidden);
    }, { class: "toggle", "aria-expanded": !this.facets.hidden });
    this.element = html.section({ class: "entries", "aria-label": "Entries" },
      html.div({ class: "tools" }, toggle, this.filterBox.element, this.count,
        menu("Columns", () => this.#columnItems()), menu("Copy", () => copyButtons(() => this.#chosen)),
        button("Export…", () => this.export())),
      html.div({ class: "entries-body" }, this.facets,
        html.div({ class: "list" }, this.selectionBar, this.grid.container)));
    observe((state, changed) => this.#changed(state, changed));
    this.#load();
  }
  /** Makes the list ready for its rows, which were requested before, and restores the state. */
  start() {
    this.grid.measure();
    this.#showEntry();
  }
  /** Loads the visible rows again, because a live source has changed. Follows the end if it is visible. */
  refresh() {
    this.isFollowing = this.grid.list.isAtEnd;
    this.cache.invalidate();
    this.#count();
  }
  /** Opens the export of the selection, or of the entries of the filter. */
  async export() {
    const { openExport } = await import("./export.js");
    const isAll = this.#selected === null || this.#selected.size === 0;
    const indices = isAll ? null : [...this.#selected];
    openExport({ a: Number(current().source), q: current().filter, indices });
  }
  close() {
    update({ entry: "" }, { push: true });
    this.grid.element.focus();
  }
  get #query() {
    const { source: a, filter: q, sort, order } = current();
    return { a, q, sort, order };
  }
  /** The selected entries, or the active one, or null for all. */
  get #chosen() {
    if (this.#selected === null || this.#selected.size > 0) return this.#selected && [...this.#selected];
    const row = this.cache.get(this.grid.active);
    return row ? [row.i] : [];
  }
  #changed(state, changed) {
    const isOther = changed.has("source");
    this.filterBox.show(state.filter);
    if (isOther || changed.has("filter")) this.#showCounts();
    if (isOther || ["filter", "sort", "order"].some((key) => changed.has(key))) this.#load();
    if (isOther || changed.has("entry")) this.#showEntry();
    if (changed.has("tab")) this.panel?.showTab(state.tab);
    if (!changed.has("columns")) return;
    const widths = new Map(this.grid.columns.map(({ name, width }) => [name, width]));
    this.grid.columns = entryColumns(state.columns).map((column) => ({ ...column, width: widths.get(column.name) }));
    this.grid.arrange();
  }
  #load() {
    this.grid.showSort(current().sort, current().order);
    this.#select([]);
    this.cache.reset();
    this.#isRestored = false;
    this.waterfall.reset();
    this.grid.list.refresh();
    this.cache.request(Number(current().at), Number(current().at) + 100);
  }
  #loaded({ count, total }) {
    const isLive = source(current().source).live;
    this.filterBox.showError(null);
    this.count.textContent = `${count === total ? "" : `${format.count(count)} of `}${format.counted(total, "entry")}`;
    this.grid.empty.textContent = total > 0 ? "No entries match the filter."
      : isLive ? "No requests yet. They appear here as they arrive." : "The archive has no entries.";
    if (!this.#isRestored) this.grid.active = Number(current().at);
    this.grid.show(count);
    if (this.isFollowing && isLive) this.grid.list.moveTo(Infinity);
    if (this.#isRestored) return;
    this.#isRestored = true;
    this.grid.list.moveTo(Number(current().at) * this.grid.list.rowHeight);
    if (current().entry !== "") this.#find(current().entry);
    whenIdle(() => {
      this.#loadPanel().then((panel) => panel.prepare());
      if (!this.#counts) this.#showCounts();
    });
  }
  async #showCounts() {
    this.#counts ??= import("./facets.js").then(({ Facets }) => new Facets(this.facets));
    (await this.#counts).show();
  }
  async #loadPanel() {
    this.#loadedPanel ??= import("./entry-panel.js").then(({ EntryPanel }) => {
      const step = (number) => this.grid.activate(this.grid.active + number);
      this.panel = new EntryPanel({ close: () => this.close(), step });
      this.element.lastChild.append(this.panel.element);
      return this.panel;
    });
    return this.#loadedPanel;
  }
  #failed(error) {
    this.grid.show(0);
    this.count.textContent = "";
    this.grid.empty.textContent = error.status === 400 ? "The filter is invalid." : error.message;
    this.filterBox.showError(error.status === 400 ? error : null);
  }
  /** Makes the row of an entry active and visible. */
  async #find(index) {
    if (String(this.cache.get(this.grid.active)?.i) === index) return;
    const { position } = await get("rows", { ...this.#query, from: 0, count: 1, around: index }).catch(() => ({}));
    if (typeof position !== "number" || current().entry !== index) return;
    this.grid.active = position;
    this.grid.list.reveal(position);
    this.grid.list.refresh();
  }
  #showEntry() {
    const { entry, source: a } = current();
    if (entry !== "" && this.#isRestored) this.#find(entry);
    this.grid.list.refresh();
    if (this.panel) this.panel.element.hidden = entry === "";
    if (entry === "") return;
    if (this.panel) this.panel.show(a, Number(entry));
    else this.#loadPanel().then(() => this.#showEntry());
  }
  #open(position) {
    const row = this.cache.get(position);
    if (row) update({ entry: row.i }, { push: true });
  }
  #sorted(sort) {
    update({ sort, order: current().sort === sort && current().order === "asc" ? "desc" : "asc", at: 0 });
  }
  #clicked(event, position) {
    const row = this.cache.get(position);
    if (!row) return;
    if (event.shiftKey) this.#extend(position);
    else if (event.ctrlKey || event.metaKey || event.target.closest(".select")) this.#toggle(position);
    else this.#open(position);
  }
  #pressed(event) {
    const { active, list } = this.grid;
    const isCommand = event.ctrlKey || event.metaKey;
    const move = { ArrowUp: -1, ArrowDown: 1, PageUp: -list.pageLength, PageDown: list.pageLength }[event.key];
    if (isCommand && event.key === "a") this.#select(null);
    else if (isCommand || event.altKey) return false;
    else if (event.key === "Enter") {
      this.#open(active);
      this.#loadPanel().then((panel) => panel.focus());
    } else if (event.key === "Escape" && current().entry === "") this.#select([]);
    else if (event.shiftKey && move) this.#extend(active + move);
    else if (event.key === " " || event.key === "x") this.#toggle(active);
    else return copyEntries(this.#chosen, event.key);
    return true;
  }
  #toggle(position) {
    const row = this.cache.get(position);
    const selected = new Set(this.#selected);
    if (row && !selected.delete(row.i)) selected.add(row.i);
    this.#anchor = position;
    this.#select(selected);
  }
  async #extend(position) {
    if (this.#selected?.size === 0) this.#anchor = this.grid.active;
    this.grid.activate(position);
    const [first, last] = [this.#anchor, this.grid.active].sort((left, right) => left - right);
    if (last - first >= rangeLimit) announce(`A range can have at most ${format.count(rangeLimit)} entries.`, true);
    else this.#select((await this.cache.range(first, last)).map((row) => row.i));
  }
  #select(indices) {
    this.#selected = indices && new Set(indices);
    const number = this.#selected?.size ?? this.grid.list.count;
    this.selectionBar.hidden = number === 0;
    this.selectionBar.replaceChildren(html.strong(`${format.counted(number, "entry")} selected`),
      number === 2 && this.#selected ? button("Compare", () => {
        const [left, right] = [...this.#selected].map((index) => `${current().source}:${index}`);
        update({ view: "compare", left, right }, { push: true });
      }) : "", button("Export…", () => this.export()), button("Clear", () => this.#select([])));
    this.grid.list.refresh();
  }
  #decorate(row, value) {
    const isSelected = String(value !== undefined && (this.#selected === null || this.#selected.has(value.i)));
    if (row.ariaSelected !== isSelected) row.ariaSelected = isSelected;
    return `${value?.failed ? " failed" : ""}${String(value?.i) === current().entry ? " opened" : ""}`;
  }
  #columnItems() {
    const optional = this.grid.columns.filter(({ name }) => name !== "select" && name !== "url");
    return optional.map(({ name, title, isHidden }) =>
      html.label({ class: "check" }, html.input({
        type: "checkbox", checked: !isHidden,
        change: (event) => update({
          columns: this.grid.columns.filter((one) => (one.name === name ? event.target.checked : !one.isHidden))
            .map((one) => one.name).join(),
        }),
      }), title));
  }
}
