// The form that adds a rule: a stub, an override, a route, replay or failure.
import { announce, button, choice, html, labeled } from "./dom.js";
import * as format from "./format.js";
import { parseJSON, written } from "./json.js";
import { openRequest } from "./matching.js";
import { FieldList } from "./message-form.js";
import { get, getText, send } from "./service.js";
import { current } from "./state.js";

const effects = [["stub", "Stub: respond without the network"], ["override", "Override: change the response"],
  ["route", "Route: send to another host"], ["replay", "Replay: respond from the archives"], ["fail", "Fail"],
];
const maximumBody = 256 * 1024;

/** Returns a value as JSON if it is valid JSON, and as text otherwise. */
function jsonOrText(text) {
  try {
    return parseJSON(text);
  } catch {
    return text;
  }
}

export class RuleForm {
  #values = { url: "", status: 200, body: "", type: "application/json" };
  effect = choice(effects, "stub", { change: () => this.#showFields() });
  fields = html.div({ class: "rule-fields" });
  error = html.p({ class: "mark error", role: "alert", hidden: true });
  element = html.form({ class: "rule-form", "aria-label": "Add a rule", submit: (event) => this.#add(event) },
    html.h3("Add a rule"), labeled("Effect", this.effect), this.fields, this.error,
    html.div({ class: "form-actions" }, html.button({ type: "submit", class: "primary" }, "Add the rule"),
      button("Fill in from the open entry", () => this.prefill())));
  constructor() { this.#showFields(); }
  /** Fills in the request and the response of the open entry. */
  async prefill() {
    const { entry: i, source: a } = current();
    if (i === "") announce("Open an entry in the list first.", true);
    else {
      const { method, url } = await openRequest();
      const { status, body } = (await get("entry", { a, i })).response;
      const isText = body?.isText && body.size <= maximumBody;
      const { host, rest } = format.splitURL(url);
      this.#values = {
        method, url: host + rest.split(/[?#]/)[0], from: host, status: status || 200, type: body?.type ?? "",
        body: isText ? await getText("body", { a, i, side: "response", as: "text" }) : "",
      };
      this.#showFields();
    }
  }
  #showFields() {
    const effect = this.effect.value;
    const values = { ...this.#values, status: effect === "override" ? "" : this.#values.status };
    const field = (title, name, attributes) =>
      labeled(title, html.input({ name, value: values[name] ?? "", spellcheck: "false", ...attributes }), name);
    const line = (...fields) => html.div({ class: "form-line" }, fields);
    const number = (placeholder) => ({ type: "number", min: "1", max: "599", placeholder });
    const request = line(field("Method", "method", { placeholder: "any" }),
      field("URL pattern", "url", { placeholder: "api.example.com/items/*", required: true }));
    const response = line(field("Status", "status", number("unchanged")),
      field("Delay", "delay", { placeholder: "such as 250ms" }), field("Times", "times", number("always")));
    const { type, body } = values;
    const hasType = effect === "stub" && type;
    this.headers = new FieldList("Header fields", hasType ? [{ name: "Content-Type", value: type }] : []);
    this.set = new FieldList("Changes of a JSON body", [],
      { name: "JSON pointer, such as /name", value: "JSON value or text", noun: "change" });
    this.body = html.textarea({ rows: "6", value: body, spellcheck: "false" });
    this.fields.replaceChildren(...{
      stub: [request, response, this.headers.element, labeled("Body", this.body)],
      override: [request, response, this.set.element, this.headers.element],
      route: [line(field("From the host", "from", { placeholder: "staging.example.com", required: true }),
        field("To", "to", { placeholder: "https://api.example.com", required: true }))],
      replay: [request], fail: [request],
    }[effect]);
  }
  get #rule() {
    const effect = this.effect.value;
    const { method, url, status, delay, times, from, to } = Object.fromEntries(
      Array.from(this.fields.querySelectorAll("[name]"), ({ name, value }) => [name, value.trim() || undefined]));
    if (effect === "route") return { route: { from, to } };
    const rule = { request: method ? `${method} ${url}` : url, times: times && Number(times) };
    if (effect === "replay" || effect === "fail") return { ...rule, [effect]: true };
    const headers = {};
    for (const { name, value } of this.headers.value) {
      headers[name] = Object.hasOwn(headers, name) ? [headers[name], value].flat() : value;
    }
    const change = { status: status && Number(status), delay };
    if (Object.keys(headers).length > 0) change.headers = headers;
    const set = this.set.value.map(({ name, value }) => [name, jsonOrText(value)]);
    if (set.length > 0) change.set = Object.fromEntries(set);
    if (effect === "override") return { ...rule, override: change };
    const isJSON = this.headers.value.some(({ name, value }) => /content-type/i.test(name) && /\bjson\b/i.test(value));
    const body = isJSON ? jsonOrText(this.body.value) : this.body.value;
    return { ...rule, stub: { ...change, ...(body === this.body.value ? { text: body } : { json: body }) } };
  }
  async #add(event) {
    event.preventDefault();
    try {
      await send("rules", { json: written({ rule: this.#rule }) });
      this.error.hidden = true;
      announce("Added the rule");
    } catch (error) {
      this.error.textContent = error.message;
      this.error.hidden = false;
    }
  }
}
