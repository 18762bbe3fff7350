// The filter box: a combobox that completes the names of conditions and their values.
import { button, delayed, html } from "./dom.js";
import { quoted, words } from "./filter-words.js";
import * as format from "./format.js";
import { get, latest, service } from "./service.js";
import { current, update } from "./state.js";

const shown = 13;

export class FilterBox {
  #options = [];
  #active = -1;
  #applyLater = delayed(250, () => this.apply());
  #count = latest(async (signal, word, typed, option, fixed) => {
    const others = words(this.input.value).filter(({ start }) => start !== word.start).map(({ text }) => text);
    const counts = (await get("counts", { a: current().source, q: others.join(" ") }, signal))[word.name] ?? [];
    const counted = counts.map(([value, number]) => [String(value), number]).filter(([value]) =>
      value.toLowerCase().includes(typed)).map(([value, number]) => option(value, format.count(number)));
    const labels = new Set(counted.map(({ label }) => label));
    if (counted.length > 0) this.#show([...counted, ...fixed.filter(({ label }) => !labels.has(label))]);
  });
  /** `leave` moves the focus to the list of entries. */
  constructor({ leave }) {
    this.leave = leave;
    this.input = html.input({
      role: "combobox", "aria-label": "Filter", "aria-expanded": false, "aria-autocomplete": "list",
      "aria-controls": "completions", "aria-describedby": "filter-error", autocomplete: "off", spellcheck: "false",
      placeholder: "Filter: text in the URL, or a condition such as status:4xx", value: current().filter,
      input: () => this.#typed(), keydown: (event) => this.#pressed(event), click: () => this.#suggest(),
      blur: () => this.#show([]),
    });
    const clear = button("×", () => {
      this.input.value = "";
      this.apply();
      this.input.focus();
    }, { class: "plain clear", "aria-label": "Clear the filter" });
    this.completions = html.ul({ role: "listbox", id: "completions", "aria-label": "Completions", hidden: true });
    this.error = html.p({ id: "filter-error", class: "filter-error", role: "alert", hidden: true });
    this.element = html.div({ class: "filter-box" }, this.input, clear, this.completions, this.error);
  }
  /** Shows the filter of the state, unless it is the same except for spaces. */
  show(filter) { if (this.input.value.trim() !== filter) this.input.value = filter; }
  showError(error) {
    this.error.hidden = !error;
    this.input.setAttribute("aria-invalid", Boolean(error));
    this.error.replaceChildren(...(error ? [error.word ? html.code(error.word) : "", ` ${error.message}`] : []));
  }
  apply() { update({ filter: this.input.value.trim(), at: 0 }); }
  #typed() {
    this.#applyLater();
    this.#suggest();
  }
  async #suggest() {
    const caret = this.input.selectionStart;
    const word = words(this.input.value).find(({ start, end }) => start < caret && end >= caret)
      ?? { text: "", start: caret, end: caret, name: null, value: "", minus: "" };
    const condition = service.conditions.find(({ name }) => name === word.name);
    if (!condition) {
      const typed = word.text.replace(/^-/, "").toLowerCase();
      this.#show(service.conditions.filter(({ name }) => name.startsWith(typed)).map(({ name, help }) =>
        ({ label: `${name}:`, help, text: `${word.minus}${name}:`, word, isName: true })));
      return;
    }
    const before = word.value.slice(0, word.value.lastIndexOf(",") + 1);
    const typed = word.value.slice(before.length).replaceAll('"', "").toLowerCase();
    const prefix = `${word.minus}${word.name}:${before}`;
    const option = (label, help) => ({ label, help, text: `${prefix}${quoted(label)}`, word });
    const fixed = condition.values.filter((value) => value.startsWith(typed)).map((value) => option(value, ""));
    this.#show(fixed.length > 0 ? fixed : [{ label: condition.help, isHint: true }]);
    await this.#count(word, typed, option, fixed).catch(() => {});
  }
  #show(options) {
    const isWanted = document.activeElement === this.input && !options.every(({ text, word }) => text === word?.text);
    this.#options = isWanted ? options.slice(0, shown) : [];
    this.completions.replaceChildren(...this.#options.map((option, index) => html.li({
      role: "option", id: `completion-${index}`, "aria-selected": false, "aria-disabled": option.isHint,
      class: option.isHint && "hint",
      pointerdown: (event) => {
        event.preventDefault();
        if (!option.isHint) this.#accept(option);
      },
    }, html.span(option.label), html.small(option.help))));
    this.completions.hidden = this.#options.length === 0;
    this.input.setAttribute("aria-expanded", this.#options.length > 0);
    this.#activate(-1);
  }
  #activate(index) {
    this.#active = index;
    [...this.completions.children].forEach((item, other) => item.setAttribute("aria-selected", other === index));
    this.input.setAttribute("aria-activedescendant", index < 0 ? "" : `completion-${index}`);
    this.completions.children[index]?.scrollIntoView({ block: "nearest" });
  }
  #accept({ text, word, isName }) {
    const rest = this.input.value.slice(word.end);
    const inserted = isName || rest.startsWith(" ") ? text : `${text} `;
    this.input.value = this.input.value.slice(0, word.start) + inserted + rest;
    this.input.selectionStart = this.input.selectionEnd = word.start + inserted.length;
    this.#typed();
  }
  #pressed(event) {
    if (event.isComposing) return;
    const { length } = this.#options;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const accepts = (event.key === "Enter" || event.key === "Tab") && this.#active >= 0;
    if (accepts || step) event.preventDefault();
    if (accepts) this.#accept(this.#options[this.#active]);
    else if (step && length === 0) this.#suggest();
    else if (step && !this.#options[0].isHint) {
      this.#activate((Math.max(this.#active, step < 0 ? 0 : -1) + step + length) % length);
    } else if (event.key === "Enter") {
      this.apply();
      this.#show([]);
    } else if (event.key === "Escape") {
      event.stopPropagation();
      if (length > 0) this.#show([]);
      else this.leave();
    }
  }
}
