// A text body, loaded in chunks, with search.
import { button, empty, html } from "./dom.js";
import * as format from "./format.js";
import { send } from "./service.js";

const chunkSize = 256 * 1024;
const blockLength = 8192;
const maximumMatches = 10_000;

export class TextView {
  #matches = [];
  #index = -1;
  #offset = 0;
  /** `parameters` name the body in the API. */
  constructor(parameters) {
    this.parameters = parameters;
    this.more = button("", () => this.#loadMore(), { class: "more", hidden: true });
    const region = { class: "body-text", tabindex: "0", role: "region", "aria-label": "Text of the body" };
    this.text = html.div(region, this.more);
    this.input = html.input({
      type: "search", "aria-label": "Search in the text", placeholder: "Search in the text",
      input: () => this.#search(0), keydown: (event) => event.key === "Enter" && this.#move(event.shiftKey ? -1 : 1),
    });
    this.result = html.output();
    this.element = html.div({ class: "text-view" }, html.div({ class: "search-bar" }, this.input, this.result,
      button("↑", () => this.#move(-1), { "aria-label": "Previous match", class: "plain" }),
      button("↓", () => this.#move(1), { "aria-label": "Next match", class: "plain" })), this.text);
    this.#loadMore();
  }
  async #loadMore() {
    this.more.disabled = true;
    try {
      const range = { from: this.#offset, count: chunkSize };
      const response = await send("body", { parameters: { ...this.parameters, as: "text", ...range } });
      const bytes = await response.arrayBuffer();
      const total = Number(response.headers.get("x-total") ?? 0);
      this.#offset += bytes.byteLength;
      this.#append(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
      this.more.hidden = this.#offset >= total || bytes.byteLength === 0;
      this.more.textContent = `Show more (${format.size(this.#offset)} of ${format.size(total)})`;
      if (this.#offset === 0) this.text.append(empty("The body is empty."));
    } catch (error) {
      this.more.hidden = true;
      this.text.append(empty(error.message));
    }
    this.more.disabled = false;
    if (this.input.value) this.#search(this.#index);
  }
  /** Appends a text in blocks of some lines, so that the browser lays out only the visible ones. */
  #append(text) {
    for (let start = 0; start < text.length;) {
      const newline = text.indexOf("\n", start + blockLength);
      const isNear = newline >= 0 && newline < start + 8 * blockLength;
      const end = isNear ? newline + 1 : Math.min(text.length, start + 8 * blockLength);
      this.more.before(html.div({ class: "block" }, text.slice(start, end)));
      start = end;
    }
  }
  #search(index) {
    const wanted = this.input.value.toLowerCase();
    this.#matches = [];
    for (const { firstChild } of this.text.querySelectorAll(".block")) {
      const text = firstChild.data.toLowerCase();
      const isComparable = wanted !== "" && text.length === firstChild.length;
      for (let at = isComparable ? text.indexOf(wanted) : -1; at >= 0; at = text.indexOf(wanted, at + wanted.length)) {
        if (this.#matches.length === maximumMatches) break;
        const end = { endContainer: firstChild, endOffset: at + wanted.length };
        this.#matches.push(new StaticRange({ startContainer: firstChild, startOffset: at, ...end }));
      }
    }
    this.#show(Math.max(0, index));
  }
  #show(index) {
    this.#index = index;
    const match = this.#matches[index];
    globalThis.CSS.highlights?.set("match", new Highlight(...this.#matches));
    globalThis.CSS.highlights?.set("active-match", new Highlight(...(match ? [match] : [])));
    const number = `${format.count(this.#matches.length)}${this.#matches.length === maximumMatches ? "+" : ""}`;
    const scope = this.more.hidden ? "" : ` in the first ${format.size(this.#offset)}`;
    const found = match ? `${format.count(index + 1)} of ${number}` : "no match";
    this.result.textContent = this.input.value === "" ? "" : found + scope;
    if (!match) return;
    match.startContainer.parentElement.scrollIntoView({ block: "nearest" });
    const range = new Range();
    range.setStart(match.startContainer, match.startOffset);
    const { top, height } = this.text.getBoundingClientRect();
    this.text.scrollTop += range.getBoundingClientRect().top - top - height / 2;
  }
  async #move(step) {
    const next = this.#index + step;
    if (next >= this.#matches.length && !this.more.hidden) await this.#loadMore();
    if (this.#matches.length > 0) this.#show((next + this.#matches.length) % this.#matches.length);
  }
}
