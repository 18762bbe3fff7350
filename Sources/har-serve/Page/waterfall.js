// The waterfall column: when each request ran and in which phases, on one scale for all visible rows.
import { delayed, html } from "./dom.js";
import { values } from "./filter-words.js";
import * as format from "./format.js";
import { get, source } from "./service.js";
import { current } from "./state.js";

/** The names of the phases, in the order of the API. */
export const phaseNames = ["Blocked", "DNS", "Connect", "TLS", "Send", "Wait", "Receive"];
const limit = 5000;

/** Returns durations that add up: connect without TLS. Unknown ones are 0. */
export function consecutive(phases) {
  const durations = phases.map((phase) => Math.max(0, phase ?? 0));
  durations[2] = Math.max(0, durations[2] - durations[3]);
  return durations;
}

function gradient(phases) {
  const durations = consecutive(phases);
  const total = durations.reduce((sum, value) => sum + value, 0);
  let end = 0;
  const stops = durations.map((duration, phase) => {
    const start = end;
    end += (duration / total) * 100;
    return `var(--phase-${phase}) ${start.toFixed(2)}% ${end.toFixed(2)}%`;
  }).filter((_, phase) => durations[phase] > 0);
  return total > 0 ? `linear-gradient(to right, ${stops.join(", ")})` : "";
}

/** Returns the next of 1, 2 and 5 times a power of ten, so that the scale changes rarely. */
function rounded(span) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, span)));
  return [1, 2, 5, 10].map((factor) => factor * power).find((value) => value >= span);
}

export class Waterfall {
  #phases = new Map();
  #isLoading = false;
  #settle = delayed(120, () => this.#rescale());
  scale = null;
  constructor(grid) { this.grid = grid; }
  /** Removes the phases and the scale of the previous list. */
  reset() {
    this.source = current().source;
    this.scale = null;
    this.#phases.clear();
  }
  /** Shows the bars of the visible rows. The scale is chosen again after scrolling. */
  show(first, last) {
    this.range = [first, last];
    if (this.scale === null) this.#rescale();
    else this.#fill();
    this.#settle();
  }
  get #rows() {
    const positions = Array.from({ length: this.range[1] - this.range[0] }, (_, index) => this.range[0] + index);
    return positions.map((position) =>
      ({ row: this.grid.cache.get(position), cell: this.grid.cell(position, "waterfall") }))
      .filter(({ row, cell }) => row && cell);
  }
  #rescale() {
    const timed = this.#rows.map(({ row }) => row).filter(({ started }) => started !== null);
    if (timed.length === 0) return;
    const { pages } = source(this.source);
    const selected = values(current().filter, "page");
    const page = selected.length === 1 ? pages.find(({ id }) => id === selected[0]) : undefined;
    const start = page?.start ?? Math.min(...timed.map((row) => row.started));
    const span = rounded(Math.max(page?.onLoad ?? 1, ...timed.map((row) => row.started + (row.time ?? 0) - start)));
    this.scale = { start, span };
    this.#showEvents(page ?? pages.find(({ id }) => id === timed[0].page));
    this.#fill();
    this.#load();
  }
  #fill() {
    if (!this.scale) return;
    const { start, span } = this.scale;
    for (const { row, cell } of this.#rows) {
      const phases = this.#phases.get(row.i);
      const key = `${row.i} ${start} ${span} ${phases !== undefined}`;
      if (cell.key === key && cell.firstChild) continue;
      cell.key = key;
      if (!cell.firstChild) cell.append(html.div({ class: "bar" }));
      const left = Math.max(0, Math.min(0.988, (row.started - start) / span));
      const width = Math.max(0.012, Math.min(1 - left, (row.time ?? 0) / span));
      cell.firstChild.hidden = row.started === null;
      cell.firstChild.style.transform = `translateX(${left * 100}%) scaleX(${width})`;
      cell.firstChild.style.backgroundImage = phases ?? "";
      cell.title = row.started === null ? "" : `${format.time(row.started)}, ${format.duration(row.time)}`;
    }
  }
  #showEvents(page) {
    const { start, span } = this.scale;
    for (const [name, time] of [["--content-load", page?.onContentLoad], ["--load", page?.onLoad]]) {
      const position = ((page?.start + time - start) / span) * 100;
      this.grid.element.style.setProperty(name, time && position >= 0 && position <= 100 ? `${position}%` : "-9px");
    }
    const heading = this.grid.header.querySelector(".waterfall");
    heading?.querySelector(".scale")?.remove();
    heading?.append(html.span({ class: "scale" }, format.duration(span)));
    if (heading) heading.title = "The vertical lines are the events onContentLoad (blue) and onLoad (red) of the page.";
  }
  async #load() {
    const missing = this.#rows.map(({ row }) => row.i).filter((index) => !this.#phases.has(index)).slice(0, 200);
    if (this.#isLoading || missing.length === 0) return;
    this.#isLoading = true;
    const { source } = this;
    const { phases } = await get("phases", { a: source, i: missing.join() }).catch(() => ({ phases: {} }));
    this.#isLoading = false;
    if (source !== this.source) return;
    if (this.#phases.size > limit) this.#phases.clear();
    for (const index of missing) this.#phases.set(index, phases[index] && gradient(phases[index]));
    this.#fill();
    this.#load();
  }
}
