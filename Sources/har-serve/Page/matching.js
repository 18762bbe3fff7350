// The view "Which entry answers?": a request, and the entry that answers it or the reasons why no entry does.
import { button, choice, empty, html, labeled } from "./dom.js";
import { MessageForm } from "./message-form.js";
import { get, getText, post, service } from "./service.js";
import { current, observe, update } from "./state.js";

/** Returns the request of the open entry, or an empty request. */
export async function openRequest() {
  const { entry: i, source: a } = current();
  if (i === "") return { method: "GET", url: "", headers: [], body: null };
  const { request } = await get("entry", { a, i });
  const body = request.body?.isText ? await getText("body", { a, i, side: "request", as: "text" }) : null;
  return { method: request.method, url: request.url, headers: request.headers, body };
}

const link = (entry) =>
  button(`Entry ${entry}`, () => update({ view: "entries", entry }, { push: true }), { class: "link" });

export class MatchingView {
  form = html.form({ class: "matching-form", submit: (event) => this.#explain(event) });
  result = html.div({ "aria-live": "polite" });
  element = html.section({ class: "matching page-view", "aria-label": "Matching" },
    html.header(html.h2("Which entry answers?"),
      html.p({ class: "note" }, "Explains how replay matches a request, and which differences matter.")),
    html.div({ class: "columns" }, this.form, this.result));
  constructor() { observe((_, changed) => changed.has("source") && this.shown()); }
  async shown() {
    const { view, source: a, entry } = current();
    if (view !== "matching" || this.filled === `${a} ${entry}`) return;
    this.filled = `${a} ${entry}`;
    this.message = new MessageForm(await openRequest());
    this.matching = choice(service.matchings.map((name) => [name]), service.matchings[0]);
    this.form.replaceChildren(this.message.element, labeled("Matching rules", this.matching),
      html.button({ type: "submit", class: "primary" }, "Explain"));
    this.result.replaceChildren(empty(entry === ""
      ? "Enter a request, or open an entry and choose “Which entry answers?” in its menu."
      : `The fields are from entry ${entry}. Change them, and choose Explain.`));
  }
  async #explain(event) {
    event.preventDefault();
    const { method, url, headers, body } = this.message.value;
    const request = {
      a: Number(current().source), method, url, headers, body: body || null, matching: this.matching.value,
    };
    try {
      const { i, entries } = await post("explain", request);
      this.result.replaceChildren(
        html.p({ class: `verdict ${i === null ? "missed" : "matched"}` }, i === null ? "No entry answers" : link(i)),
        html.pre({ class: "explanation" }, i === null ? "No entry answers the request."
          : [link(i), " answers the request."]),
        html.ol({ class: "candidates" }, entries.map((entry) => html.li(
          html.div(link(entry.i), " ", html.code(entry.request)), entry.i === i
            ? html.p({ class: "status success" }, "answers the request")
            : html.pre(entry.differences.join("\n"))))));
    } catch (error) {
      this.result.replaceChildren(html.p({ class: "mark error" }, error.message));
    }
  }
}
