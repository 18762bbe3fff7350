// JSON whose numbers keep the form in which they are written.
/** A number that JavaScript would write differently, such as 1.10 or 12345678901234567890. */
class WrittenNumber { constructor(source) { this.source = source; } }

export function parseJSON(text) {
  return JSON.parse(text, (_, value, context) =>
    (typeof value === "number" && String(value) !== (context?.source ?? String(value))
      ? new WrittenNumber(context.source) : value));
}

/** Returns the kind of a value: object, array, string, number, boolean or null. */
export function kindOf(value) {
  if (value === null) return "null";
  if (value instanceof WrittenNumber) return "number";
  return Array.isArray(value) ? "array" : typeof value;
}

/** Returns a value as JSON, with numbers as written. */
export function written(value, indentation) {
  return JSON.stringify(value, (_, one) => (one instanceof WrittenNumber
    ? JSON.rawJSON?.(one.source) ?? Number(one.source) : one), indentation);
}

/** Returns a string as it is, and another value as JSON. */
export const asText = (value) => (typeof value === "string" ? value : written(value));
