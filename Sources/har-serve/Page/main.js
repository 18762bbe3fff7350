// The start of the page: its views, and the keys that work in all of them.
import { announce, button, choice, empty, html } from "./dom.js";
import { EntriesView } from "./entries.js";
import { ready, service, source } from "./service.js";
import { current, observe, update } from "./state.js";

const main = document.getElementById("main");
const created = {};
let live;

const openHelp = async () => (await import("./help.js")).openHelp();

const views = {
  entries: ["Entries"],
  overview: ["Overview", async () => new (await import("./overview.js")).OverviewView()],
  compare: ["Compare", async () => new (await import("./compare.js")).CompareView()],
  matching: ["Matching", async () => new (await import("./matching.js")).MatchingView()],
  live: ["Live", async () => new (await import("./live-view.js")).LiveView(live)],
};

async function show() {
  const wanted = Object.hasOwn(views, current().view) ? current().view : "entries";
  created[wanted] ??= views[wanted][1]();
  const view = await created[wanted];
  if (current().view !== wanted && Object.hasOwn(views, current().view)) return;
  if (view.element.parentElement !== main) main.append(view.element);
  for (const child of main.children) child.hidden = child !== view.element;
  for (const item of document.querySelectorAll("#views button")) {
    if (item.dataset.view === wanted) item.setAttribute("aria-current", "page");
    else item.removeAttribute("aria-current");
  }
  document.title = `${source(current().source).name} – ${views[wanted][0]} – har view`;
  view.shown?.();
}

function showSources() {
  const { name, damage } = source(current().source);
  const picker = service.sources.length === 1 ? html.span({ class: "source", title: name }, name)
    : choice(service.sources.map((one) => [one.a, one.name]), current().source, {
      "aria-label": "Archive",
      change: (event) => update({ source: event.target.value, filter: "", entry: "", at: 0 }, { push: true }),
    });
  document.getElementById("sources").replaceChildren(picker,
    damage ? button("Damaged", () => announce(damage, true), { class: "damage", title: damage }) : "");
}

async function pressed(event, entries) {
  const isTyping = event.target.closest("input, textarea, select, dialog, [popover]");
  if (isTyping || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "?") openHelp();
  else if (event.key === "Escape" && current().view === "entries" && current().entry !== "") entries.close();
  else if (event.key === "/") {
    event.preventDefault();
    update({ view: "entries" }, { push: true });
    await show();
    entries.filterBox.input.select();
  }
}

async function start() {
  const entries = (created.entries = new EntriesView());
  try {
    await ready;
  } catch (error) {
    main.replaceChildren(empty(error.message));
    return;
  }
  main.replaceChildren();
  if (!service.live) delete views.live;
  showSources();
  document.getElementById("views").replaceChildren(...Object.entries(views).map(([name, [title]]) =>
    button(title, () => update({ view: name }, { push: true }), { "data-view": name })));
  document.getElementById("actions").replaceChildren(
    button("?", openHelp, { class: "plain", "aria-label": "Help", title: "Help (?)" }));
  if (service.live) live = new (await import("./live.js")).Live(entries);
  observe((_, changed) => {
    if (changed.has("source")) showSources();
    if (changed.has("view") || changed.has("source")) show();
  });
  addEventListener("keydown", (event) => pressed(event, entries));
  await show();
  if (document.activeElement === document.body) entries.grid.element.focus({ preventScroll: true });
  entries.start();
  live?.start();
}

addEventListener("unhandledrejection", (event) => announce(event.reason?.message ?? "An operation failed.", true));
start();
