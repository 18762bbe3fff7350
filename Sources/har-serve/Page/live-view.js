// The view of live traffic: held requests and rules.
import { announce, button, empty, html, labeled } from "./dom.js";
import * as format from "./format.js";
import { asText } from "./json.js";
import { MessageForm } from "./message-form.js";
import { RuleForm } from "./rule-form.js";
import { address, post, service } from "./service.js";
import { current } from "./state.js";

const emptyResponse = { status: 200, headers: [{ name: "Content-Type", value: "application/json" }], body: "" };

class HeldRequests {
  #selected = null;
  list = html.ul({ class: "held-list", "aria-label": "Held requests" });
  editor = html.div({ class: "held-editor" });
  element = html.div({ class: "held" }, this.list, this.editor);
  /** Shows the held requests. The form of the selected one keeps its changes. */
  show(held) {
    if (!held.some(({ id }) => id === this.#selected)) this.#select(held[0]);
    this.list.replaceChildren(...held.map((item) => html.li(button([
      html.strong(item.request.method), html.span({ class: "url" }, item.request.url),
      html.small(`${item.stage}, since ${format.time(item.since)}`),
    ], () => {
      this.#select(item);
      this.show(held);
    }, { "aria-pressed": item.id === this.#selected, title: item.request.url }))));
  }
  #select(item) {
    this.#selected = item?.id ?? null;
    if (!item) {
      this.editor.replaceChildren(empty("No request is held."));
      return;
    }
    const { id, stage, request } = item;
    const form = new MessageForm(item[stage]);
    const response = html.div({ class: "message-form" });
    const resume = (changes) => post("resume", { id, request: null, response: null, fail: false, ...changes })
      .catch((error) => announce(error.message, true));
    const answer = () => {
      const answering = new MessageForm(emptyResponse);
      response.replaceChildren(html.h3("Response"), answering.element,
        button("Send the response", () => resume({ response: answering.value }), { class: "primary" }));
      response.querySelector("input").focus();
    };
    this.editor.replaceChildren(
      html.h3(stage === "response" ? `Response to ${request.method} ${request.url}` : "Request"), form.element,
      html.div({ class: "form-actions" },
        button("Resume", () => resume({ [stage]: form.changed }), { class: "primary" }),
        stage === "request" && button("Answer with a response…", answer),
        button("Fail", () => resume({ fail: true }), { class: "danger" })), response);
  }
}

const perform = (name, value, message) => post(name, value).then(() => message && announce(message),
  (error) => announce(error.message, true));
const ruleText = ({ route, request = "any request", times, ...effect }) =>
  (route ? `route ${route.from} to ${route.to}` : `${Object.keys(effect)[0]} ${asText(request)}`);
const download = (title, as, name) =>
  html.a({ class: "button", href: address("rules", { as }), download: name }, title);

export class LiveView {
  held = new HeldRequests();
  form = new RuleForm();
  entries = html.p({ class: "note" });
  pattern = html.input({ placeholder: "api.example.com/**", spellcheck: "false" });
  stop = html.button({ type: "submit" });
  holdState = html.p({ class: "note", role: "status" });
  rules = html.ol({ class: "rule-list" });
  constructor(live) {
    const hold = html.form({
      class: "form-line", "aria-label": "Stop requests",
      submit: (event) => {
        event.preventDefault();
        perform("hold", { pattern: live.state.hold ? null : this.pattern.value.trim() || "**" });
      },
    }, labeled("Stop requests that match", this.pattern), this.stop);
    const card = (title, head, ...content) => html.section({ class: "card", "aria-label": title },
      html.div({ class: "card-head" }, html.h3(title), head), content);
    this.element = html.section({ class: "live page-view", "aria-label": "Live" },
      html.header(html.h2("Live traffic"), this.entries,
        button("Clear the list", () => perform("clear", {}, "Cleared the list"), { class: "danger" })),
      html.div({ class: "columns" },
        card("Held requests", [], hold, this.holdState, this.held.element),
        card("Rules", [download("Save as YAML", "yaml", "rules.yaml"),
          download("Save as Swift", "swift", "Rules.swift")], this.rules, this.form.element)));
    live.observe((state) => this.#show(state));
  }
  /** Fills in the form of a rule from the open entry. */
  shown() {
    const { entry, source } = current();
    if (entry === "" || this.filled === `${source} ${entry}`) return;
    this.filled = `${source} ${entry}`;
    this.form.prefill();
  }
  #show({ entries, hold, held, rules }) {
    this.entries.textContent = `${format.counted(entries, "entry")} recorded`;
    this.stop.textContent = hold ? "Stop holding" : "Stop requests";
    this.stop.className = hold ? "danger" : "primary";
    this.pattern.disabled = hold !== null;
    if (hold) this.pattern.value = hold.pattern;
    this.holdState.textContent = hold ? `Requests that match ${hold.pattern} wait until you resume them.`
      : "Requests are not held.";
    this.held.show(held);
    this.rules.replaceChildren(...rules.map(({ id, rule }) => {
      const text = ruleText(rule);
      return html.li(html.code(text),
        button("Remove", () => perform("rules/remove", { id }), { "aria-label": `Remove ${text}` }));
    }));
    if (rules.length === 0) this.rules.append(html.li({ class: "note" }, "No rules. Later rules take precedence."));
  }
}
