// Requests to the server, and the list of sources.
export const service = { sources: [], conditions: [], matchings: [], live: null };

export function address(name, parameters = {}) {
  const present = Object.entries(parameters).filter(([, value]) => (value ?? "") !== "");
  return `api/1/${name}${present.length > 0 ? "?" : ""}${new URLSearchParams(present)}`;
}

/** Sends a request, with a body if `json` is present, and throws the server's message if it fails. */
export async function send(name, { parameters, signal, json } = {}) {
  const posted = { method: "POST", body: json, headers: { "Content-Type": "application/json" } };
  const options = { signal, cache: "no-store", ...(json === undefined ? {} : posted) };
  const response = await fetch(address(name, parameters), options).catch((error) => {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not respond. Check that har view is still running.");
  });
  if (response.ok) return response;
  const { error, word } = await response.json().catch(() => ({}));
  const failure = new Error(error ?? `The server responded with status ${response.status}.`);
  throw Object.assign(failure, { status: response.status, word });
}

export const get = async (name, parameters, signal) => (await send(name, { parameters, signal })).json();
export const getText = async (name, parameters, signal) => (await send(name, { parameters, signal })).text();
export const post = async (name, value) => (await send(name, { json: JSON.stringify(value) })).json();

/** The sources, which are requested together with the first rows. */
export const ready = get("sources").then((found) => Object.assign(service, found));

/** Returns the source with a number, or the first one. */
export function source(number) {
  return service.sources.find(({ a }) => String(a) === String(number)) ?? service.sources[0];
}

/** Returns a function that calls an operation, cancels the previous call, and ignores its result. */
export function latest(operation) {
  let controller;
  return async (...values) => {
    controller?.abort();
    const { signal } = (controller = new AbortController());
    try {
      await operation(signal, ...values);
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    }
  };
}
