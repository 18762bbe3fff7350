// The bytes of a body in hexadecimal. Visible ranges are loaded.
import { empty, html } from "./dom.js";
import { PageCache } from "./page-cache.js";
import { send } from "./service.js";
import { VirtualList } from "./virtual-list.js";

const width = 16;
const printable = (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : "·");

/** Creates a view of the bytes that `parameters` name in the API. */
export function hexView(parameters) {
  const body = html.div({ class: "hex-body" });
  const scroller = html.div({ class: "hex", tabindex: "0", role: "region", "aria-label": "Bytes of the body" }, body);
  const cache = new PageCache({
    pageSize: 512, limit: 32,
    load: async (from, count, signal) => {
      const range = { ...parameters, as: "bytes", from: from * width, count: count * width };
      const response = await send("body", { parameters: range, signal });
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        total: Number(response.headers.get("x-total") ?? 0),
        rows: Array.from({ length: Math.ceil(bytes.length / width) }, (_, row) =>
          bytes.subarray(row * width, (row + 1) * width)),
      };
    },
    loaded: ({ total }) => {
      list.resize(Math.ceil(total / width));
      list.refresh();
      if (total === 0) scroller.replaceChildren(empty("The body is empty."));
    },
    failed: (error) => scroller.replaceChildren(empty(error.message)),
  });
  const list = new VirtualList({
    scroller, body, rowHeight: 20,
    createRow: () => html.div({ class: "hex-row" }, html.span(), html.span(), html.span()),
    fillRow: (row, index) => {
      const bytes = [...cache.get(index) ?? []];
      const digits = bytes.map((byte) => byte.toString(16).padStart(2, "0"));
      row.children[0].textContent = (index * width).toString(16).padStart(8, "0");
      row.children[1].textContent = `${digits.slice(0, 8).join(" ")}  ${digits.slice(8).join(" ")}`;
      row.children[2].textContent = bytes.map(printable).join("");
    },
    rendered: (first, last) => last > first && cache.request(first, last),
  });
  cache.request(0, 1);
  return scroller;
}
