// Pages of rows from the server. The number of cached pages is limited, and requests for rows out of view are canceled.
const delay = 30;

export class PageCache {
  #pages = new Map();
  #loading = new Map();
  #stale = new Set();
  #timer = null;
  #wanted = [0, 0];
  /** `load(from, count, signal)` returns an object with `rows`, which is passed to `loaded`. */
  constructor({ pageSize = 200, limit = 60, load, loaded, failed }) {
    Object.assign(this, { pageSize, limit, load, loaded, failed });
  }
  /** Returns the row at a position, or undefined if it is not in memory. */
  get(position) { return this.#pages.get(Math.floor(position / this.pageSize))?.[position % this.pageSize]; }
  /** Loads the pages of a range of positions after a short delay, and cancels requests for other pages. */
  request(first, last) {
    this.#wanted = [Math.floor(first / this.pageSize), Math.floor(Math.max(first, last - 1) / this.pageSize)];
    this.#schedule();
  }
  /** Removes all pages and cancels all requests. */
  reset() {
    for (const controller of this.#loading.values()) controller.abort();
    for (const pages of [this.#loading, this.#pages, this.#stale]) pages.clear();
  }
  /** Loads pages again when they are requested. Until then, they keep their rows. */
  invalidate() {
    for (const page of [...this.#pages.keys(), ...this.#loading.keys()]) this.#stale.add(page);
    this.#schedule();
  }
  /** Returns the rows of a range of positions. The last position is included. */
  async range(first, last) {
    const cached = Array.from({ length: last + 1 - first }, (_, index) => this.get(first + index));
    if (cached.every(Boolean)) return cached;
    const pages = Array.from({ length: Math.ceil(cached.length / this.pageSize) }, (_, page) => {
      const from = first + page * this.pageSize;
      return this.load(from, Math.min(this.pageSize, last + 1 - from));
    });
    return (await Promise.all(pages)).flatMap(({ rows }) => rows);
  }
  #schedule() {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      const [first, last] = this.#wanted;
      for (const [page, controller] of this.#loading) if (page < first || page > last) controller.abort();
      for (let page = first; page <= last; page += 1) {
        const isCurrent = this.#pages.has(page) && !this.#stale.has(page);
        if (!isCurrent && !this.#loading.has(page)) this.#load(page);
      }
    }, this.#pages.size > 0 ? delay : 0);
  }
  async #load(page) {
    const controller = new AbortController();
    this.#loading.set(page, controller);
    this.#stale.delete(page);
    try {
      const result = await this.load(page * this.pageSize, this.pageSize, controller.signal);
      if (controller.signal.aborted) return;
      this.#pages.delete(page);
      this.#pages.set(page, result.rows);
      if (this.#pages.size > this.limit) this.#pages.delete(this.#pages.keys().next().value);
      this.loaded(result);
      if (this.#stale.has(page)) this.#schedule();
    } catch (error) {
      if (error.name !== "AbortError") this.failed?.(error);
    } finally {
      if (this.#loading.get(page) === controller) this.#loading.delete(page);
    }
  }
}
