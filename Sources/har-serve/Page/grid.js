// A grid of rows from a page cache, with sortable columns and keyboard control.
import { button, drag, empty, html } from "./dom.js";
import { VirtualList } from "./virtual-list.js";

const touch = matchMedia("(max-width: 900px), (pointer: coarse)");
const rowHeight = () => (touch.matches ? 40 : 28);
let grids = 0;

/** Returns a column that shows a text or an element. */
export const column = (name, title, width, priority, value) => ({
  name, title, width, priority, minimum: 180,
  fill: (cell, row) => {
    cell.replaceChildren(value(row));
    cell.title = cell.textContent.slice(0, 2000);
  },
});

export class Grid {
  #name = `grid-${(grids += 1)}`;
  #cells = new WeakMap();
  active = 0;
  sort = {};
  /**
   * A column has a name, title, width (null: the rest), priority (columns with low ones are hidden first) and a
   * function `fill(cell, row)`. Options: `pressed(event)` returns whether it used a key, `clicked(event, position)`,
   * `activated(position)`, `sorted(column)`, `decorate(element, row)` for classes, and `rendered(first, last)`.
   */
  constructor({ label, columns, cache, message, ...options }) {
    Object.assign(this, { columns, cache, options });
    this.header = html.div({ role: "row", class: "grid-row" });
    this.body = html.div({ role: "rowgroup", class: "grid-body" });
    this.empty = empty(message);
    this.empty.hidden = true;
    this.element = html.div({
      role: "grid", class: "grid", tabindex: "0", "aria-label": label, "aria-multiselectable": options.isSelectable,
      keydown: (event) => this.#pressed(event), click: (event) => this.#clicked(event),
    }, html.div({ role: "rowgroup", class: "grid-header" }, this.header), this.body);
    this.container = html.div({ class: "grid-container" }, this.element, this.empty);
    this.list = new VirtualList({
      scroller: this.element, body: this.body, rowHeight: rowHeight(), headerHeight: 32,
      createRow: () => html.div({ role: "row", class: "grid-row" }),
      fillRow: (row, position) => this.#fill(row, position), rendered: (first, last) => this.#rendered(first, last),
    });
    new ResizeObserver(() => this.arrange()).observe(this.element);
    touch.addEventListener("change", () => {
      this.list.rowHeight = rowHeight();
      this.list.rebuild();
    });
  }
  show(count) {
    this.element.setAttribute("aria-rowcount", count + 1);
    this.empty.hidden = count > 0;
    this.active = Math.max(0, Math.min(this.active, count - 1));
    this.list.resize(count);
    this.list.refresh();
  }
  /** Measures the space now, and not only before the next frame. */
  measure() {
    this.list.measure();
    this.arrange();
  }
  /** Shows the columns that have enough space. */
  arrange() {
    const available = this.element.clientWidth;
    if (available === 0) return;
    const visible = this.columns.filter((column) => !column.isHidden);
    const needed = () => visible.reduce((sum, column) => sum + (column.width ?? column.minimum), 0);
    while (needed() > available && visible.length > 2) {
      const least = Math.min(...visible.map((column) => column.priority));
      visible.splice(visible.findLastIndex((column) => column.priority === least), 1);
    }
    this.element.style.setProperty("--columns", visible.map((column) =>
      (column.width === null ? `minmax(${column.minimum}px, ${column.share ?? 1}fr)` : `${column.width}px`)).join(" "));
    const isSame = String(visible.map(({ name }) => name)) === String(this.visible?.map(({ name }) => name));
    this.visible = visible;
    if (isSame) return;
    this.element.setAttribute("aria-colcount", visible.length);
    this.#showHeader();
    this.list.rebuild();
  }
  activate(position) {
    if (this.list.count === 0) return;
    this.active = Math.max(0, Math.min(position, this.list.count - 1));
    this.list.reveal(this.active);
    this.list.refresh();
    this.options.activated?.(this.active);
  }
  cell(position, name) { return this.#cells.get(this.list.row(position))?.get(name); }
  showSort(column, order) {
    this.sort = { column, order };
    this.#showHeader();
  }
  #showHeader() {
    const focused = document.activeElement?.closest("[data-column]")?.dataset.column;
    const order = this.sort.order === "asc" ? "ascending" : "descending";
    this.header.replaceChildren(...(this.visible ?? []).map((column) => {
      const title = html.span({ class: "title" }, column.title);
      const heading = html.div({
        role: "columnheader", "aria-label": column.title || "Selected", class: `cell ${column.name}`,
        "data-column": column.name,
        "aria-sort": column.sort && (this.sort.column === column.sort ? order : "none"),
      }, column.sort ? button(title, () => this.options.sorted(column.sort), { class: "sort" }) : title,
      !column.isFixed && html.span({ class: "handle", pointerdown: (event) => this.#drag(event, column, heading) }));
      return heading;
    }));
    if (focused) this.header.querySelector(`[data-column="${focused}"] button`)?.focus();
  }
  #drag(event, column, { offsetWidth }) {
    drag(event, (x) => {
      column.width = Math.max(40, Math.min(offsetWidth + x - event.clientX, 1200));
      this.arrange();
    });
  }
  #fill(row, position) {
    let cells = this.#cells.get(row);
    if (!cells) {
      const create = ({ name }) => [name, html.div({ role: "gridcell", class: `cell ${name}` })];
      cells = new Map((this.visible ?? []).map(create));
      this.#cells.set(row, cells);
      row.append(...cells.values());
    }
    const value = this.cache.get(position);
    row.id = `${this.#name}-${position}`;
    row.position = position;
    row.setAttribute("aria-rowindex", position + 2);
    const more = this.options.decorate?.(row, value) ?? "";
    const classes = `grid-row${position === this.active ? " active" : ""}${value ? "" : " loading"}${more}`;
    if (row.className !== classes) row.className = classes;
    if (value) for (const { name, fill } of this.visible ?? []) fill(cells.get(name), value);
  }
  #rendered(first, last) {
    if (last > first) this.cache.request(first, last);
    const active = this.list.row(this.active)?.id ?? "";
    if (active !== this.described) this.element.setAttribute("aria-activedescendant", active);
    this.described = active;
    this.options.rendered?.(first, last);
  }
  #clicked(event) {
    const row = event.target.closest(".grid-body > .grid-row");
    if (!row) return;
    this.active = row.position;
    this.list.refresh();
    this.options.clicked?.(event, row.position);
  }
  #pressed(event) {
    if (event.target !== this.element) return;
    const page = this.list.pageLength;
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
    if (!this.options.pressed?.(event)) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || !(event.key in steps)) return;
      this.activate(this.active + steps[event.key]);
    }
    event.preventDefault();
  }
}
