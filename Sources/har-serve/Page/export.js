// The dialog that exports entries. It first shows the number of values that redaction replaces.
import { html, openDialog, table } from "./dom.js";
import * as format from "./format.js";
import { address, post } from "./service.js";

/** Opens the dialog for entry indices of a source, or for all entries of a filter. */
export function openExport({ a, q, indices }) {
  const redact = html.input({ type: "checkbox", checked: true, change: () => prepare() });
  const result = html.div({ class: "export-result", "aria-live": "polite" });
  const scope = indices ? "the selected entries" : q ? "the entries that match the filter" : "all entries";
  const dialog = openDialog("Export", html.div(html.p("A HAR file with ", html.strong(scope), "."),
    html.label({ class: "check" }, redact, " Redact secrets: replace them with placeholders"), result));
  let latest = 0;

  async function prepare() {
    const number = (latest += 1);
    result.replaceChildren(html.p("Preparing the file…"));
    try {
      const prepared = await post("export", { a, indices, q, redact: redact.checked });
      if (number === latest) show(prepared);
    } catch (error) {
      result.replaceChildren(html.p({ class: "mark error" }, error.message));
    }
  }
  function show({ id, bytes, replaced, name }) {
    const rows = replaced.map((one) => html.tr(html.th({ scope: "row" }, one.kind),
      html.td({ class: "number" }, format.count(one.count))));
    const summary = !redact.checked
      ? html.p({ class: "mark warning" }, "The file contains all cookies, credentials and bodies as recorded.")
      : rows.length > 0 ? table("Replaced values", ["Replaced by placeholders", "Number"], rows, { class: "rows" })
        : html.p({ class: "note" }, "No known kind of secret was found.");
    result.replaceChildren(summary, html.footer(html.span({ class: "facts" }, `${name}, ${format.size(bytes)}`),
      html.a({
        class: "button primary", href: address("exported", { id }), download: name,
        click: () => setTimeout(() => dialog.close()),
      }, "Download")));
  }
  prepare();
}
