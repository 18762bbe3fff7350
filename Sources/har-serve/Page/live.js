// The state of live traffic: new entries, held requests and rules, received by long polling.
import { announce } from "./dom.js";
import { get, service } from "./service.js";
import { current, update } from "./state.js";

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export class Live {
  state = { revision: 0, entries: 0, hold: null, held: [], rules: [] };
  #observers = [];
  constructor(entries) { this.entries = entries; }
  /** Calls the observer now and after each change. */
  observe(observer) {
    this.#observers.push(observer);
    observer(this.state);
  }
  /** Receives changes until the page is closed. */
  async start() {
    for (;;) {
      try {
        const next = await get("changes", { after: this.state.revision });
        if (next.revision !== this.state.revision) this.#apply(next);
        await pause(100);
      } catch (error) {
        announce(error.message, true);
        await pause(2000);
      }
    }
  }
  #apply(next) {
    const before = this.state;
    this.state = next;
    if (next.entries !== before.entries && String(service.live.a) === current().source) this.entries.refresh();
    if (next.entries < before.entries) update({ entry: "" });
    if (next.held.length > before.held.length) announce("A request is held.");
    document.querySelector('#views [data-view="live"]').dataset.count = next.held.length || "";
    for (const observer of this.#observers) observer(next);
  }
}
