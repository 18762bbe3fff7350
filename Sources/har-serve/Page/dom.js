// Creation of elements. Texts become text nodes, never markup.
/**
 * Creates elements: `html.p({ class: "note" }, "text")`. The attributes can be left out. Functions become event
 * listeners, and attributes and children that are null, undefined or false are ignored.
 */
export const html = new Proxy({}, {
  get: (_, name) => (first, ...children) => {
    const hasAttributes = first?.constructor === Object;
    const created = document.createElement(name);
    for (const [key, value] of hasAttributes ? Object.entries(first) : []) {
      if (typeof value === "function") created.addEventListener(key, value);
      else if (["value", "checked", "hidden"].includes(key)) created[key] = value;
      else if (key.startsWith("aria-") && typeof value === "boolean") created.setAttribute(key, String(value));
      else if ((value ?? false) !== false) created.setAttribute(key, value === true ? "" : value);
    }
    const content = hasAttributes ? children : [first, ...children];
    created.append(...content.flat(Infinity).filter((child) => (child ?? false) !== false));
    return created;
  },
});

export const button = (label, click, attributes) => html.button({ type: "button", click, ...attributes }, label);
export const empty = (...texts) => html.p({ class: "empty" }, ...texts);
export const labeled = (text, control, name = "") => html.label({ class: `field ${name}` }, html.span(text), control);

export function choice(options, selected, attributes = {}) {
  return html.select(attributes, options.map(([value, title]) =>
    html.option({ value, selected: String(value) === String(selected) }, title ?? value)));
}

/** Creates a group of buttons of which one is pressed. `choose` receives the value of a button. */
export function segments(label, options, selected, choose) {
  const group = html.div({ class: "segments", role: "group", "aria-label": label });
  group.append(...options.map(([value, title]) => button(title, () => {
    for (const item of group.children) item.setAttribute("aria-pressed", item.dataset.value === value);
    choose(value);
  }, { "aria-pressed": value === selected, "data-value": value })));
  return group;
}

export function table(label, headings, rows, attributes = {}) {
  const head = html.tr(headings.map((heading) => html.th({ scope: "col" }, heading)));
  return html.table({ "aria-label": label, ...attributes }, html.thead(head), html.tbody(rows));
}

/** Returns a function that calls the action once, after the last call and a delay in milliseconds. */
export function delayed(milliseconds, action) {
  let pending;
  return (...values) => {
    clearTimeout(pending);
    pending = setTimeout(() => action(...values), milliseconds);
  };
}

/** Calls the action when the browser has shown all changes. Safari does not tell when. */
export const whenIdle = (action) =>
  (globalThis.requestIdleCallback ? requestIdleCallback(action, { timeout: 1000 }) : setTimeout(action, 200));

const hideNotice = delayed(5000, () => document.getElementById("notice").classList.remove("visible"));

/** Shows a short message, which screen readers announce. */
export function announce(text, isError = false) {
  const notice = document.getElementById("notice");
  notice.textContent = text;
  notice.className = isError ? "visible error" : "visible";
  hideNotice();
}

/** Calls the action with the horizontal position of the pointer until it is released. */
export function drag(event, moved) {
  event.preventDefault();
  event.target.setPointerCapture(event.pointerId);
  event.target.onpointermove = ({ clientX }) => moved(clientX);
  event.target.onlostpointercapture = () => (event.target.onpointermove = null);
}

/** Opens a modal dialog, and removes it after it has been closed. */
export function openDialog(title, content, attributes = {}) {
  const close = button("×", () => dialog.close(), { class: "plain", "aria-label": "Close" });
  const head = html.header(html.h2({ id: "dialog-title" }, title), close);
  const dialog = html.dialog({ "aria-labelledby": "dialog-title", ...attributes }, head, content);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Creates a button that opens a list of buttons or labels below it. `items` returns them. */
export function menu(label, items, attributes = { "aria-label": label }) {
  const list = html.div({ popover: "auto", class: "menu", role: "group", "aria-label": attributes["aria-label"] });
  const opener = button(label, () => list.togglePopover({ source: opener }), { "aria-expanded": false, ...attributes });
  list.addEventListener("beforetoggle", ({ newState }) => {
    opener.setAttribute("aria-expanded", newState === "open");
    if (newState === "open") list.replaceChildren(...items());
  });
  list.addEventListener("toggle", ({ newState }) => {
    const { left, bottom } = opener.getBoundingClientRect();
    list.style.left = `${Math.max(8, Math.min(left, innerWidth - list.offsetWidth - 8))}px`;
    list.style.top = `${Math.max(8, Math.min(bottom + 4, innerHeight - list.offsetHeight - 8))}px`;
    if (newState === "open") list.querySelector("button, input")?.focus();
  });
  list.addEventListener("click", (event) => event.target.closest("button") && list.hidePopover());
  return html.span(opener, list);
}
