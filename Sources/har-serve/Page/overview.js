// The view of totals by host, type and status, and of the slowest, largest and failed entries.
import { button, empty, html, segments, table } from "./dom.js";
import { replacing } from "./filter-words.js";
import * as format from "./format.js";
import { get, latest, source } from "./service.js";
import { current, observe, update } from "./state.js";

const listed = 20;
const measures = { entries: ["Entries", format.count], size: ["Size", format.size], time: ["Time", format.duration] };

function section(title, rows, headings, name) {
  return html.section(html.h3(title),
    rows.length > 0 ? table(title, headings, rows, { class: `chart ${name}` }) : html.p({ class: "note" }, "None"));
}

export class OverviewView {
  #measure = "entries";
  #load = latest(async (signal) => {
    const load = (name) => get(name, { a: current().source, q: current().filter }, signal);
    const [overview, counts] = await Promise.all([load("overview"), load("counts")]);
    this.result = { ...overview, counts };
    this.#render();
  });
  element = html.section({ class: "overview page-view", "aria-label": "Overview" });
  constructor() {
    observe((state, changed) => state.view === "overview" && changed.has("filter") && this.shown());
  }
  shown() { this.#load().catch((error) => this.element.replaceChildren(empty(error.message))); }
  #render() {
    const { entries, failures, size, time, start, end, counts, slowest, largest, failed } = this.result;
    const { filter, source: a } = current();
    const facts = {
      Entries: format.count(entries), Failures: format.count(failures), Size: format.size(size),
      "Sum of times": format.duration(time), Period: format.duration(start === null ? null : end - start),
      Start: format.date(start),
    };
    const scope = filter ? [" with the filter ", html.code(filter), " ",
      button("Remove the filter", () => update({ filter: "" }), { class: "link" })] : "";
    const measure = segments("Length of the bars", Object.entries(measures).map(([name, [title]]) => [name, title]),
      this.#measure, (name) => {
        this.#measure = name;
        this.#render();
        this.element.querySelector(".segments [aria-pressed=true]").focus();
      });
    this.element.replaceChildren(
      html.header(html.h2("Overview"), html.p({ class: "note" }, source(a).name, scope), measure),
      html.dl({ class: "totals" }, Object.entries(facts).map(([term, value]) =>
        html.div(html.dt(term), html.dd(value)))),
      html.div({ class: "charts" }, this.#chart("Hosts", counts.host, "host"),
        this.#chart("Types", counts.type, "type"), this.#chart("Statuses", counts.outcome, "status"),
        this.#entries("Slowest", "Time", slowest, (row) => format.duration(row.time)),
        this.#entries("Largest", "Size", largest, (row) => format.size(row.size)),
        this.#entries("Failures", "Status", failed, (row) => row.status > 0 ? row.status : "failed")));
  }
  #chart(title, counts, condition) {
    const groups = counts.slice(0, listed)
      .map(([name, entries, size, time, failures]) => ({ name, entries, size, time, failures }));
    const key = this.#measure;
    const [heading, text] = measures[key];
    const largest = Math.max(1, ...groups.map((group) => group[key]));
    const rows = groups.toSorted((left, right) => right[key] - left[key]).map((group) => {
      const bar = html.span({ class: "length" });
      bar.style.width = `${(group[key] / largest) * 100}%`;
      const isFailed = condition === "status" && !/^\d/.test(group.name);
      const [name, value] = isFailed ? ["is", "failed"] : [condition, group.name];
      return html.tr(html.th({ scope: "row" }, button(group.name || "(none)", () =>
        update({ view: "entries", filter: replacing(current().filter, name, [value]), entry: "" }, { push: true }),
      { class: "link", title: group.name })), html.td({ class: "track" }, bar), html.td(text(group[key])),
      html.td({ class: "failures" }, group.failures > 0 && format.count(group.failures)));
    });
    return section(title, rows, ["Name", "Share", heading, "Failures"], "groups");
  }
  #entries(title, heading, list, text) {
    const rows = list.map((row) => {
      const { host, rest } = format.splitURL(row.url);
      return html.tr(html.td(row.method), html.th({ scope: "row" },
        button([html.span({ class: "host" }, host), rest], () =>
          update({ view: "entries", entry: row.i }, { push: true }), { class: "link", title: row.url })),
      html.td(text(row)));
    });
    return section(title, rows, ["Method", "URL", heading], "listed");
  }
}
