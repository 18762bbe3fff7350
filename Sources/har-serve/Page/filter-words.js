// The words of a filter. The server interprets them; the page only edits them.
/** Returns the words with their offsets. Spaces inside quotes do not separate words. */
export function words(filter) {
  return Array.from(filter.matchAll(/(?:"[^"]*(?:"|$)|[^\s"])+/g), ({ 0: text, index: start }) => {
    const [, minus, name = null, value] = /^(-?)(?:([a-z-]+):)?(.*)$/s.exec(text);
    return { text, start, end: start + text.length, minus, name, value };
  });
}
/** Returns a value with quotes if it contains characters with a meaning in filters. */
export function quoted(value) { return /[\s,"]/.test(value) ? `"${value.replaceAll('"', "")}"` : value; }
/** Returns the values of a condition in the filter. */
export function values(filter, name) {
  return words(filter).filter((word) => word.name === name && word.minus === "")
    .flatMap((word) => Array.from(word.value.matchAll(/"([^"]*)"|[^,"]+/g), (match) => match[1] ?? match[0]));
}

export const without = (filter, name) =>
  words(filter).filter((word) => word.name !== name || word.minus !== "").map((word) => word.text).join(" ");

export function replacing(filter, name, chosen) {
  return [without(filter, name), chosen.length > 0 ? `${name}:${chosen.map(quoted)}` : ""].filter(Boolean).join(" ");
}
