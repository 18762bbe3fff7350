// The panel of one entry, with its tabs.
import { copyButtons } from "./copying.js";
import { button, drag, empty, html, menu } from "./dom.js";
import * as format from "./format.js";
import { getText, latest, service } from "./service.js";
import { current, update } from "./state.js";

const smallest = 320;

/** Loads the modules of the tabs, which the first rows do not need. */
const importTabs = () => import("./entry-tabs.js");

export class EntryPanel {
  #entry = null;
  #shown = null;
  #tabs = {};
  #load = latest(async (signal, index) => {
    const [text, { parseEntry, tabs }] = await Promise.all([
      getText("entry", { a: this.a, i: index }, signal), importTabs(),
    ]);
    signal.throwIfAborted();
    this.#tabs = tabs;
    this.#entry = parseEntry(text);
    this.#showTitle();
    this.#shown = null;
    this.showTab(current().tab);
    if (this.isAwaited) this.focus();
  });
  /** `close` closes the panel, and `step(number)` opens the next or previous entry. */
  constructor({ close, step }) {
    this.title = html.h2({ class: "entry-title" });
    const pressed = (event) => this.#pressed(event);
    this.tabs = html.div({ role: "tablist", class: "tabs", "aria-label": "Parts", keydown: pressed });
    this.content = html.div({ role: "tabpanel", id: "tab-panel", class: "tab-panel" });
    this.separator = html.div({
      role: "separator", class: "separator", tabindex: "0", "aria-label": "Width", "aria-orientation": "vertical",
      pointerdown: (event) => {
        const { right } = this.element.getBoundingClientRect();
        drag(event, (x) => this.#setWidth(right - x));
      },
      keydown: ({ key }) => this.#setWidth(this.width + ({ ArrowLeft: 32, ArrowRight: -32 }[key] ?? 0)),
    });
    this.element = html.section({ class: "entry-panel", "aria-label": "Entry", hidden: true }, this.separator,
      html.div({ class: "entry-bar" }, this.title,
        button("↑", () => step(-1), { class: "plain", "aria-label": "Previous entry" }),
        button("↓", () => step(1), { class: "plain", "aria-label": "Next entry" }),
        menu("⋯", () => this.#actions(), { class: "plain", "aria-label": "Actions for this entry" }),
        button("×", close, { class: "plain", "aria-label": "Close the entry" })),
      this.tabs, this.content);
    this.#setWidth(Math.round(innerWidth * 0.46));
  }
  /** Makes the panel ready for its first entry. */
  prepare() { importTabs(); }
  async show(a, index) {
    if (this.#entry?.i === index && this.a === a) return;
    this.a = a;
    this.#entry = null;
    await this.#load(index).catch((error) => {
      this.title.replaceChildren(`Entry ${index}`);
      this.tabs.replaceChildren();
      this.content.replaceChildren(empty(error.message));
    });
  }
  showTab(name) {
    const wanted = [...this.tabs.children].some((tab) => tab.dataset.tab === name) ? name : "headers";
    if (!this.#entry || this.#shown === wanted) return;
    this.#shown = wanted;
    for (const tab of this.tabs.children) {
      tab.setAttribute("aria-selected", tab.dataset.tab === wanted);
      tab.tabIndex = tab.dataset.tab === wanted ? 0 : -1;
    }
    this.content.setAttribute("aria-labelledby", `tab-${wanted}`);
    this.content.scrollTop = 0;
    this.content.replaceChildren(this.#tabs[wanted][2](this.#entry, this));
  }
  /** Moves the focus to the selected tab, as soon as the entry has been loaded. */
  focus() {
    this.isAwaited = this.#entry === null;
    if (!this.isAwaited) this.tabs.querySelector("[aria-selected=true]").focus();
  }
  /** Shows the value of a pointer in a tab. */
  reveal(tab, pointer) {
    update({ tab });
    const row = [...this.content.querySelectorAll("[data-pointer]")].find(({ dataset }) =>
      pointer === dataset.pointer || pointer.startsWith(`${dataset.pointer}/`));
    row?.scrollIntoView({ block: "center" });
    row?.classList.add("revealed");
    this.focus();
  }
  #showTitle() {
    const { request: { method, url }, response: { status }, failure } = this.#entry;
    const { scheme, host, rest } = format.splitURL(url);
    this.title.replaceChildren(html.span({ class: "method" }, method),
      html.span({ class: `status ${format.statusClass(status, failure !== null)}` }, status > 0 ? status : "failed"),
      html.span({ class: "url", title: url }, html.span({ class: "host" }, scheme + host), rest));
    this.isAwaited ||= this.tabs.contains(document.activeElement);
    this.tabs.replaceChildren(...Object.entries(this.#tabs).map(([name, [title, number]]) => {
      const value = number(this.#entry);
      return (name !== "messages" || value > 0) && html.button({
        type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, "aria-controls": "tab-panel",
        click: () => update({ tab: name }),
      }, title, value > 0 && html.small(format.count(value)));
    }).filter(Boolean));
  }
  #actions() {
    const open = (title, view) => button(title, () => update({ view }, { push: true }));
    return [...copyButtons(() => [this.#entry?.i]), open("Which entry answers?", "matching"),
      ...(service.live ? [open("Add a rule for this request", "live")] : [])];
  }
  #pressed({ key }) {
    const tabs = [...this.tabs.children];
    const index = tabs.findIndex((tab) => tab.tabIndex === 0);
    const next = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[key];
    if (next === undefined) return;
    update({ tab: tabs.at(next % tabs.length).dataset.tab });
    this.focus();
  }
  #setWidth(width) {
    this.width = Math.max(smallest, Math.min(width, innerWidth - smallest));
    this.element.style.setProperty("--panel-width", `${this.width}px`);
    this.separator.setAttribute("aria-valuenow", Math.round((this.width / innerWidth) * 100));
  }
}
