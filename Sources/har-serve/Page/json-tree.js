// A JSON value as a tree. Only the visible lines are elements, and closed values have no lines.
import { copyText } from "./copying.js";
import { button, html } from "./dom.js";
import * as format from "./format.js";
import { kindOf, written } from "./json.js";
import { VirtualList } from "./virtual-list.js";

const previewLength = 300;
const initialLines = 200;
let trees = 0;

function childCount(value) {
  return { array: () => value.length, object: () => Object.keys(value).length }[kindOf(value)]?.() ?? 0;
}

/** Returns the JSON pointer (RFC 6901) of a node. */
function pointerOf({ parent, key }) {
  return parent ? `${pointerOf(parent)}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}` : "";
}

function preview(value, isOpen) {
  const kind = kindOf(value);
  if (kind === "array") return isOpen ? "[" : `[ ${format.counted(value.length, "element")} ]`;
  if (kind === "object") return isOpen ? "{" : `{ ${format.counted(childCount(value), "member")} }`;
  return kind === "string" && value.length > previewLength ? `${written(value.slice(0, previewLength)).slice(0, -1)}…`
    : written(value);
}

export class JSONTree {
  #name = `tree-${(trees += 1)}`;
  #active = 0;
  constructor(value, label) {
    this.nodes = [{ key: null, value, parent: null, depth: 0, index: 0 }];
    const body = html.div({ role: "presentation", class: "tree-body" });
    this.tree = html.div({
      role: "tree", class: "tree", tabindex: "0", "aria-label": label, keydown: (event) => this.#pressed(event),
      click: (event) => this.#clicked(event),
    }, body);
    this.list = new VirtualList({
      scroller: this.tree, body, rowHeight: 22, createRow: () => html.div({ role: "treeitem", class: "tree-row" }),
      fillRow: (row, index) => this.#fill(row, index),
      rendered: () => this.tree.setAttribute("aria-activedescendant", this.list?.row(this.#active)?.id ?? ""),
    });
    this.path = html.code();
    this.value = html.pre({ class: "tree-value", tabindex: "0", "aria-label": "Complete value" });
    const copyValue = () => {
      const active = this.nodes[this.#active].value;
      copyText(typeof active === "string" ? active : written(active, 2), "the value");
    };
    this.element = html.div({ class: "tree-view" }, this.tree, this.value, html.div({ class: "tree-bar" },
      this.path, button("Copy path", () => this.#copyPath()), button("Copy value", copyValue)));
    for (let index = 0; index < this.nodes.length; index += 1) {
      if (index === 0 || this.nodes.length + childCount(this.nodes[index].value) <= initialLines) this.#open(index);
    }
    this.list.resize(this.nodes.length);
    this.#activate(0);
  }
  #open(position) {
    const node = this.nodes[position];
    if (childCount(node.value) === 0) return;
    node.isOpen = true;
    const isArray = Array.isArray(node.value);
    const children = Object.entries(node.value).map(([key, value], index) =>
      ({ key: isArray ? index : key, value, parent: node, depth: node.depth + 1, index }));
    this.nodes = [...this.nodes.slice(0, position + 1), ...children, ...this.nodes.slice(position + 1)];
  }
  #toggle(index) {
    const node = this.nodes[index];
    if (node.isOpen) {
      node.isOpen = false;
      const after = this.nodes.slice(index + 1);
      const length = after.findIndex(({ depth }) => depth <= node.depth);
      this.nodes.splice(index + 1, length < 0 ? after.length : length);
    } else this.#open(index);
    this.list.resize(this.nodes.length);
    this.list.refresh();
  }
  #activate(index) {
    this.#active = Math.max(0, Math.min(index, this.nodes.length - 1));
    const { value } = this.nodes[this.#active];
    const isLong = typeof value === "string" && value.length > 60;
    this.path.textContent = pointerOf(this.nodes[this.#active]) || "(whole document)";
    this.value.hidden = !isLong;
    this.value.textContent = isLong ? value.slice(0, 100_000) : "";
    this.list.reveal(this.#active);
    this.list.refresh();
  }
  #copyPath() {
    const pointer = pointerOf(this.nodes[this.#active]);
    copyText(pointer, pointer || "the path of the whole document, which is empty");
  }
  #fill(row, index) {
    const { key, value, parent, depth, index: position, isOpen = false } = this.nodes[index];
    const hasChildren = childCount(value) > 0;
    row.id = `${this.#name}-${index}`;
    row.index = index;
    row.classList.toggle("active", index === this.#active);
    row.style.paddingLeft = `${8 + Math.min(depth, 40) * 16}px`;
    const attributes = {
      "aria-level": depth + 1, "aria-posinset": position + 1, "aria-setsize": parent ? childCount(parent.value) : 1,
      "aria-selected": index === this.#active, "aria-expanded": hasChildren && isOpen,
    };
    for (const [name, text] of Object.entries(attributes)) row.setAttribute(name, text);
    if (!hasChildren) row.removeAttribute("aria-expanded");
    const name = parent ? [html.span({ class: typeof key === "number" ? "position" : "key" }, written(key)), ": "] : "";
    row.replaceChildren(html.span({ class: hasChildren ? "twisty" : "twisty none" }), ...name,
      html.span({ class: `value ${kindOf(value)}` }, preview(value, isOpen)));
  }
  #clicked(event) {
    const row = event.target.closest(".tree-row");
    if (!row) return;
    if (event.target.closest(".twisty") || row.index === this.#active) this.#toggle(row.index);
    this.#activate(row.index);
  }
  #pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const node = this.nodes[this.#active];
    const page = this.list.pageLength;
    const steps = { ArrowUp: -1, ArrowDown: 1, PageUp: -page, PageDown: page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.#activate(this.#active + steps[event.key]);
    else if (event.key === "ArrowRight" && node.isOpen) this.#activate(this.#active + 1);
    else if (event.key === "ArrowLeft" && !node.isOpen && node.parent) this.#activate(this.nodes.indexOf(node.parent));
    else if (["ArrowRight", "Enter", " "].includes(event.key) || (event.key === "ArrowLeft" && node.isOpen)) {
      this.#toggle(this.#active);
    } else if (event.key === "c") this.#copyPath();
    else return;
    event.preventDefault();
  }
}
