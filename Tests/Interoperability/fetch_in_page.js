// Performs fetches in a page, one after another, and notes the response that the page received for each. The script
// evaluates to a function that takes the list from `fetches.py` and returns a promise of the notes.
(async (fetches) => {
  const fromBase64 = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const toBase64 = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  const sha256 = async (bytes) => toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  const data = (part) => (part.base64 === undefined ? part.text : fromBase64(part.base64));

  const makeBody = (body) => {
    if (body === undefined) return undefined;
    if (body.urlencoded) return new URLSearchParams(body.urlencoded);
    if (!body.multipart) return data(body);
    const form = new FormData();
    for (const part of body.multipart) {
      if (part.filename === undefined) form.append(part.name, part.text);
      else form.append(part.name, new Blob([data(part)], { type: part.type }), part.filename);
    }
    return form;
  };

  const arrival = async () => (await fetch("/slow/arrived")).json();

  const perform = async (wanted) => {
    const abort = new AbortController();
    const options = {
      method: wanted.method,
      headers: wanted.headers,
      body: makeBody(wanted.body),
      signal: abort.signal,
    };
    // A separate request shows the sent content, except for the random boundary of a form. The separate request is not
    // sent, because the browser's record of a cloned request has no body.
    const request = new Request(wanted.url, options);
    const sent = new Uint8Array(await request.arrayBuffer());
    const note = {
      name: wanted.name,
      kind: "fetch",
      method: request.method,
      url: request.url,
      headers: Array.from(request.headers),
      body: sent.length ? toBase64(sent) : null,
    };
    try {
      const answer = fetch(wanted.url, options);
      if (wanted.abort === "sent") {
        answer.catch(() => {});
        await arrival();
        abort.abort();
      }
      const response = await answer;
      if (wanted.abort === "answered") {
        await arrival();
        abort.abort();
      }
      const bytes = new Uint8Array(await response.arrayBuffer());
      return {
        ...note,
        status: response.status,
        length: bytes.length,
        sha256: await sha256(bytes),
        finalURL: response.url,
      };
    } catch (error) {
      return { ...note, error: `${error.name}: ${error.message}` };
    }
  };

  const seen = [];
  for (const wanted of fetches) seen.push(await perform(wanted));
  return seen;
})
