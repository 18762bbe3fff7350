// The fields of an entry with marks of findings and secrets: the tabs Headers, Cookies & query, and Checks.
import { button, empty, html } from "./dom.js";
import * as format from "./format.js";
import { asText } from "./json.js";

function findings({ findings: found, secrets }) {
  return [...found, ...secrets.map(({ pointer, kind }) => ({ severity: "secret", pointer, message: kind }))];
}

/** Returns the marks of a value and its parts. */
export function marks(entry, pointer) {
  return findings(entry).filter((one) => one.pointer === pointer || one.pointer.startsWith(`${pointer}/`)).map((one) =>
    html.span({ class: `mark ${one.severity}` }, html.b(`${one.severity}: `), one.message));
}

/** Returns the name of the tab that shows the value of a pointer. */
function tabOf(pointer) {
  const patterns = {
    cookies: /^\/(request|response)\/(cookies|queryString)/, request: /^\/request\/postData/,
    response: /^\/response\/content/, timings: /^\/(timings|time)/, messages: /^\/_webSocketMessages/,
    headers: /^\/(request|response|startedDateTime|serverIPAddress|connection|pageref)/,
  };
  return Object.keys(patterns).find((name) => patterns[name].test(pointer)) ?? "har";
}

/** Returns a table of names and values. `pointer(index)` names the value of a row in the entry. */
export function fieldTable(entry, label, fields, pointer) {
  return html.table({ class: "fields", "aria-label": label }, html.tbody(fields.map((field, index) =>
    html.tr({ "data-pointer": pointer(index) }, html.th({ scope: "row" }, field.name), html.td(
      field.value, field.note && html.small(field.note), marks(entry, pointer(index)))))));
}

function section(entry, title, fields, pointer, facts = fields.length) {
  return fields.length > 0 && html.details({ class: "section", open: true },
    html.summary(html.h3(title), html.small(facts)), fieldTable(entry, title, fields, pointer));
}

export function headersTab(entry) {
  const { request, response, json } = entry;
  const general = [["URL", request.url, "/request/url"], ["Method", request.method, "/request/method"],
    ["Status", `${response.status || ""} ${response.statusText ?? ""}`.trim(), "/response/status"],
    ["Failure", entry.failure, "/response/_error"], ["Redirect to", response.redirectURL, "/response/redirectURL"],
    ["Version", response.httpVersion || request.httpVersion, "/response/httpVersion"],
    ["Server", json.serverIPAddress, "/serverIPAddress"], ["Connection", json.connection, "/connection"],
    ["Started", json.startedDateTime, "/startedDateTime"], ["Page", json.pageref, "/pageref"],
    ["Comment", json.comment, "/comment"], ...Object.entries(json)
      .filter(([name]) => name.startsWith("_") && name !== "_webSocketMessages")
      .map(([name, value]) => [name, value, `/${name}`]),
  ].filter(([, value]) => (value ?? "") !== "")
    .map(([name, value, pointer]) => ({ name, value: asText(value), pointer }));
  const facts = ({ headers: { length }, headersSize }) =>
    (headersSize > 0 ? `${length}, ${format.size(headersSize)}` : length);
  return html.div(section(entry, "General", general, (index) => general[index].pointer, ""),
    ["response", "request"].map((side) => section(entry, side === "request" ? "Request header fields"
      : "Response header fields", entry[side].headers, (index) => `/${side}/headers/${index}`, facts(entry[side]))));
}

function cookieFields(cookies) {
  return cookies.map(({ name, value, ...attributes }) => ({
    name, value, note: Object.entries(attributes).filter(([, one]) => one || one === 0)
      .map(([key, one]) => (one === true ? key : `${key}: ${asText(one)}`)).join("; "),
  }));
}

export function cookiesTab(entry) {
  const sections = [["Query items", entry.request.query, "/request/queryString"],
    ["Request cookies", cookieFields(entry.request.cookies), "/request/cookies"],
    ["Response cookies", cookieFields(entry.response.cookies), "/response/cookies"],
  ].map(([title, fields, pointer]) => section(entry, title, fields, (index) => `${pointer}/${index}`)).filter(Boolean);
  return sections.length > 0 ? html.div(sections) : empty("The entry has no query items and no cookies.");
}

/** Returns the content of the tab Checks. `reveal(tab, pointer)` shows the value of a finding. */
export function checksTab(entry, reveal) {
  const items = findings(entry).map(({ severity, pointer, message }) => html.li(
    html.span({ class: `mark ${severity}` }, severity), html.div(html.p(message),
      button(pointer || "/", () => reveal(tabOf(pointer), pointer), { class: "link" }))));
  return items.length > 0 ? html.ul({ class: "checks" }, items)
    : empty("The entry conforms to HAR 1.2, and contains no known kind of secret.");
}
