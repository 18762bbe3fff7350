// Numbers, sizes, durations and times as text.
// The browser's formats (Intl) are not used, because creating the first one would delay the first rows by 20 ms.
const separated = (number) => String(number).replace(/\B(?<!\.\d*)(?=(?:\d{3})+(?!\d))/g, ",");
const short = (number) => separated(Number(number.toPrecision(3)));
const padded = (numbers, separator) => numbers.map((number) => String(number).padStart(2, "0")).join(separator);
const known = (format) => (value) => (value === null || value === undefined ? "–" : format(value));
/** Returns a number with separators, such as 500,000. */
export const count = known((number) => separated(Math.round(number)));
/** Returns a number and a noun, such as "1 entry" or "2 entries". */
export function counted(number, singular, plural = singular === "entry" ? "entries" : `${singular}s`) {
  return `${count(number)} ${number === 1 ? singular : plural}`;
}
/** Returns a size in decimal units, such as 1.5 kB. */
export const size = known((bytes) => {
  const exponent = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3));
  return `${short(bytes / 1000 ** exponent)} ${["B", "kB", "MB", "GB", "TB"][exponent]}`;
});
/** Returns a duration, such as 12.5 ms or 3.2 s. */
export const duration = known((milliseconds) => {
  const units = [[1, "ms", 1000], [1000, "s", 120_000], [60_000, "min", 7_200_000], [3_600_000, "h", 172_800_000],
    [86_400_000, "days", Infinity]];
  const [divisor, unit] = units.find(([, , limit]) => milliseconds < limit);
  return `${short(milliseconds / divisor)} ${unit}`;
});
/** Returns the local time of day with milliseconds. */
export const time = known((milliseconds) => {
  const date = new Date(milliseconds);
  const fraction = String(date.getMilliseconds()).padStart(3, "0");
  return `${padded([date.getHours(), date.getMinutes(), date.getSeconds()], ":")}.${fraction}`;
});

export const date = known((milliseconds) => {
  const day = new Date(milliseconds);
  return `${padded([day.getFullYear(), day.getMonth() + 1, day.getDate()], "-")} ${time(milliseconds)}`;
});

export function statusClass(status, failed = false) {
  const kinds = ["failed", "informational", "success", "redirection", "client", "server"];
  return failed || !(status > 0) ? "failed" : kinds[Math.floor(status / 100)] ?? "failed";
}
/** Splits a URL. It does not use the URL parser, because archives contain invalid URLs. */
export function splitURL(url) {
  const match = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/is.exec(url);
  return match ? { scheme: match[1], host: match[2], rest: match[3] || "/" } : { scheme: "", host: "", rest: url };
}
