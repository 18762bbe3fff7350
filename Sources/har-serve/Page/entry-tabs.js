// The tabs of the panel of an entry. Their modules are loaded after the first rows.
import { bodyTab } from "./body-view.js";
import { checksTab, cookiesTab, headersTab } from "./entry-fields.js";
import { JSONTree } from "./json-tree.js";
import { parseJSON } from "./json.js";
import { messagesTab } from "./messages.js";
import { timingsTab } from "./timings.js";

/** The tabs: title, number, and a function that creates the content. */
export const tabs = {
  headers: ["Headers", () => 0, headersTab],
  cookies: ["Cookies & query", ({ request: { query, cookies }, response }) =>
    query.length + cookies.length + response.cookies.length, cookiesTab],
  request: ["Request", () => 0, (entry, panel) => bodyTab(entry, panel.a, "request")],
  response: ["Response", () => 0, (entry, panel) => bodyTab(entry, panel.a, "response")],
  timings: ["Timings", () => 0, timingsTab],
  messages: ["Messages", ({ messages }) => messages, (entry, panel) => messagesTab(entry, panel.a)],
  checks: ["Checks", ({ findings, secrets }) => findings.length + secrets.length, (entry, panel) =>
    checksTab(entry, (tab, pointer) => panel.reveal(tab, pointer))],
  har: ["HAR", () => 0, (entry) => new JSONTree(entry.json, "Entry as HAR").element],
};

/** Returns an entry of the API, in which values of the archive keep their numbers as written. */
export function parseEntry(text) {
  const entry = JSON.parse(text);
  const { json, request, response } = parseJSON(text);
  entry.json = json;
  for (const side of ["request", "response"]) {
    if (entry[side].body?.operations) entry[side].body.operations = { request, response }[side].body.operations;
  }
  return entry;
}
