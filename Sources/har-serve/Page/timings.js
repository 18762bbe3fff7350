// The tab Timings: the phases of an entry as bars.
import { empty, html, table } from "./dom.js";
import * as format from "./format.js";
import { marks } from "./entry-fields.js";
import { consecutive, phaseNames } from "./waterfall.js";

export function timingsTab(entry) {
  const phases = entry.phases ?? [];
  const durations = phases.some((phase) => phase !== null) ? consecutive(phases) : [];
  const total = Math.max(entry.time ?? 0, durations.reduce((sum, value) => sum + value, 0)) || 1;
  let start = 0;
  const rows = durations.map((value, phase) => {
    const bar = html.span({ class: "phase", hidden: phases[phase] === null });
    Object.assign(bar.style, {
      left: `${(start / total) * 100}%`, width: `${(value / total) * 100}%`, backgroundColor: `var(--phase-${phase})`,
    });
    start += value;
    return html.tr({ class: phases[phase] === null && "unknown" }, html.th({ scope: "row" }, phaseNames[phase]),
      html.td({ class: "track" }, bar),
      html.td({ class: "number" }, phases[phase] === null ? "unknown" : format.duration(value)));
  });
  const sum = html.tr({ class: "sum" }, html.th({ scope: "row" }, "Total"), html.td(),
    html.td({ class: "number" }, format.duration(entry.time)));
  return html.div({ class: "timings" }, html.p("Started ", html.strong(format.date(entry.started)), " (local time)"),
    rows.length > 0 ? table("Phases", ["Phase", `0 to ${format.duration(total)}`, "Time"], [rows, sum])
      : empty(`The archive contains no phases of this entry. It took ${format.duration(entry.time)} in total.`),
    ["/timings", "/time"].map((pointer) => marks(entry, pointer)));
}
