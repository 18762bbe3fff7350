// The tabs Request and Response: a body in the forms that suit its kind.
import { empty, html, segments, table } from "./dom.js";
import * as format from "./format.js";
import { hexView } from "./hex-view.js";
import { JSONTree } from "./json-tree.js";
import { parseJSON } from "./json.js";
import { fieldTable, marks } from "./entry-fields.js";
import { address, getText, send } from "./service.js";
import { TextView } from "./text-view.js";

const maximumTreeSize = 32 * 1024 * 1024;
const region = { class: "scroll", tabindex: "0", role: "region", "aria-label": "Body" };
const scrolling = (...children) => html.div(region, ...children);
const remainder = (body, noun) => body.more > 0 && html.p({ class: "note" },
  `${format.counted(body.more, `further ${noun}`)} not shown here. See the text of the body.`);

function fieldsView(body, entry, pointer) {
  return scrolling(fieldTable(entry, "Form fields", body.fields, (index) => `${pointer}/params/${index}`),
    remainder(body, "field"));
}

function partsView(body) {
  return scrolling(body.parts.map(({ name, file, type, size, text }) => html.section({ class: "part" },
    html.h3(name || "(no name)"),
    html.p({ class: "facts" }, [file && `file ${file}`, type, format.size(size)].filter(Boolean).join(" · ")),
    text === null ? html.p({ class: "note" }, "The part is not text.") : html.pre(text))),
  remainder(body, "part"));
}

function operationsView(body) {
  return scrolling(body.operations.map(({ type, name, query, variables }) => html.section({ class: "part" },
    html.h3(`${type} ${name ?? "(no name)"}`),
    query === null ? html.p({ class: "note" }, "The request names a persisted query.") : html.pre(query),
    variables !== null && [html.h4("Variables"),
      html.div({ class: "small fill" }, new JSONTree(variables, "Variables").element)])));
}

function eventsView(body) {
  const rows = body.events.map(({ time, type, id, data }) => html.tr(
    html.td({ class: "number" }, format.duration(time)), html.td(type), html.td(id),
    html.td({ class: "data" }, data)));
  return scrolling(table("Events", ["Time", "Type", "ID", "Data"], rows, { class: "rows" }), remainder(body, "event"));
}

function imageView(parameters) {
  const facts = html.p({ class: "facts" }, "Loading…");
  const image = html.img({
    src: address("body", { ...parameters, as: "image" }), alt: "Image of the body", class: "checkerboard",
    load: () => (facts.textContent = `${image.naturalWidth} × ${image.naturalHeight} pixels`),
    error: () => {
      image.hidden = true;
      facts.textContent = "The browser cannot show this image. See its bytes.";
    },
  });
  return html.div({ class: "scroll image-view" }, image, facts);
}

let fonts = 0;

function fontView(parameters) {
  const view = html.div({ class: "scroll font-view" }, empty("Loading…"));
  const family = `sample-${(fonts += 1)}`;
  send("body", { parameters: { ...parameters, as: "font" } }).then((response) => response.arrayBuffer())
    .then((data) => new FontFace(family, data).load()).then((face) => {
      document.fonts.add(face);
      view.replaceChildren(...[14, 20, 32, 48].map((size) => {
        const sample = html.span("The quick brown fox jumps over the lazy dog 0123456789 äöüß");
        sample.style.font = `${size}px ${family}`;
        return html.p(html.small(`${size} px`), sample);
      }));
    }).catch(() => view.replaceChildren(empty("The browser cannot use this font. See its bytes.")));
  return view;
}

/** Shows JSON as a tree, or as text if it is invalid. */
function treeView(parameters) {
  const view = html.div({ class: "fill" }, empty("Loading…"));
  getText("body", { ...parameters, as: "text" }).then((text) => {
    try {
      view.replaceChildren(new JSONTree(parseJSON(text), "JSON of the body").element);
    } catch (error) {
      view.replaceChildren(html.p({ class: "note" }, `The body is not valid JSON: ${error.message}`),
        new TextView(parameters).element);
    }
  }).catch((error) => view.replaceChildren(empty(error.message)));
  return view;
}

/** Returns the content of the tab for a side of an entry: request or response. */
export function bodyTab(entry, a, side) {
  const { body } = entry[side];
  const pointer = side === "request" ? "/request/postData" : "/response/content";
  const parameters = { a, i: entry.i, side };
  const found = html.div({ class: "body-marks" }, marks(entry, pointer));
  if (!body) {
    return html.div({ class: "body-tab" }, found, empty(side === "request" ? "The request has no body."
      : "The response has no body, or it was not captured."));
  }
  const isTree = (body.kind === "json" || body.kind === "graphql") && body.size <= maximumTreeSize;
  const forms = Object.entries({
    Fields: body.fields && (() => fieldsView(body, entry, pointer)), Parts: body.parts && (() => partsView(body)),
    Operations: body.operations && (() => operationsView(body)), Events: body.events && (() => eventsView(body)),
    Image: body.kind === "image" && (() => imageView(parameters)),
    Sample: body.kind === "font" && (() => fontView(parameters)),
    Tree: isTree && (() => treeView(parameters)), Text: body.isText && (() => new TextView(parameters).element),
    Hex: () => hexView(parameters),
  }).filter(([, create]) => create);
  const content = html.div({ class: "body-content" }, forms[0][1]());
  const bar = html.div({ class: "body-bar" },
    segments("Form", forms.map(([title]) => [title, title]), forms[0][0], (title) =>
      content.replaceChildren(forms.find(([name]) => name === title)[1]())),
    html.span({ class: "facts", title: body.type }, body.type || "unknown type", " · ", format.size(body.size)),
    html.a({
      href: address("body", { ...parameters, as: "bytes" }), download: `entry-${entry.i}-${side}`, class: "button",
    }, "Download"));
  return html.div({ class: "body-tab" }, bar, body.note && html.p({ class: "note" }, body.note), found, content);
}
