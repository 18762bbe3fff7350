// Fields to edit a request or a response.
import { button, html, labeled } from "./dom.js";

export class FieldList {
  constructor(title, fields, { name = "Name", value = "Value", noun = "field" } = {}) {
    const input = (label, text) =>
      html.input({ value: text, "aria-label": label, placeholder: label, spellcheck: "false" });
    const add = (field) => {
      const row = html.div({ class: "field-row" }, input(name, field.name), input(value, field.value),
        button("×", () => row.remove(), { class: "plain", "aria-label": "Remove" }));
      this.rows.append(row);
      return row;
    };
    this.rows = html.div();
    fields.forEach(add);
    this.element = html.fieldset(html.legend(title), this.rows,
      button(`Add a ${noun}`, () => add({ name: "", value: "" }).firstChild.focus()));
  }
  /** The fields with a name. */
  get value() {
    return Array.from(this.rows.children, ({ children: [name, value] }) =>
      ({ name: name.value.trim(), value: value.value })).filter(({ name }) => name !== "");
  }
}

/** Edits a message. A request has a method and a URL, and a response has a status. */
export class MessageForm {
  constructor(message) {
    const input = (name, attributes) => html.input({ value: message[name] ?? "", spellcheck: "false", ...attributes });
    this.message = message;
    this.inputs = message.status === undefined ? { method: input("method"), url: input("url") }
      : { status: input("status", { type: "number", min: "100", max: "599" }) };
    this.headers = new FieldList("Header fields", message.headers);
    this.body = html.textarea({ rows: "7", value: message.body ?? "", spellcheck: "false" });
    const titles = { method: "Method", url: "URL", status: "Status" };
    this.element = html.div({ class: "message-form" }, html.div({ class: "form-line" },
      Object.entries(this.inputs).map(([name, control]) => labeled(titles[name], control, name))), this.headers.element,
    message.base64 ? html.p({ class: "note" }, "The body is binary: it is kept.") : labeled("Body", this.body));
    this.original = JSON.stringify(this.value);
  }
  /** The message with all changes. */
  get value() {
    const { method, url, status } = this.inputs;
    const { base64 = null } = this.message;
    return {
      ...(status ? { status: Number(status.value) } : { method: method.value.trim(), url: url.value.trim() }),
      headers: this.headers.value, body: base64 ? null : this.body.value, base64,
    };
  }
  /** The message, or null if nothing has been changed. */
  get changed() { return JSON.stringify(this.value) === this.original ? null : this.value; }
}
