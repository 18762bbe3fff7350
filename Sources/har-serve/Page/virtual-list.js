// A list of any length with rows of one height. Only the visible rows are elements.
/** The largest height of a body, in pixels. Browsers limit elements to between 17 and 33 million pixels. */
const maximumHeight = 15_000_000;
const overscan = 5;

export class VirtualList {
  #rows = [];
  #version = 0;
  #offset = 0;
  #expected = 0;
  count = 0;
  /** The height of the visible part, which is measured only when it changes, because measuring forces a layout. */
  viewport = 0;
  /**
   * `scroller` has the scroll bar and contains `body`. `createRow` returns an element, `fillRow(row, index)` shows an
   * item in it, and `rendered(first, last)` is called after each change.
   */
  constructor({ scroller, body, rowHeight, headerHeight = 0, createRow, fillRow, rendered }) {
    Object.assign(this, { scroller, body, rowHeight, headerHeight, createRow, fillRow, rendered });
    scroller.addEventListener("scroll", () => this.#scrolled(), { passive: true });
    this.wheel = (event) => this.#turned(event);
    new ResizeObserver(() => this.measure()).observe(scroller);
  }
  /** The number of rows that are completely visible. */
  get pageLength() { return Math.max(1, Math.floor(this.viewport / this.rowHeight)); }
  get firstVisible() { return Math.ceil(this.#offset / this.rowHeight); }
  get isAtEnd() { return this.#offset >= this.#limit - this.rowHeight; }
  get #limit() { return Math.max(0, this.count * this.rowHeight - this.viewport); }
  /** The number of list pixels per pixel of the scroll bar. It is 1 unless the list exceeds the maximum height. */
  get #scale() {
    return this.count * this.rowHeight <= maximumHeight ? 1 : this.#limit / (maximumHeight - this.viewport);
  }
  /** Changes the number of rows. Call `refresh` afterwards to show them. */
  resize(count) {
    if (count === this.count) return;
    this.count = count;
    this.scroller.removeEventListener("wheel", this.wheel);
    if (this.#scale > 1) this.scroller.addEventListener("wheel", this.wheel, { passive: false });
    this.#showHeight();
    if (this.#offset > this.#limit) this.moveTo(this.#limit);
  }
  #showHeight() { this.body.style.height = `${Math.min(this.count * this.rowHeight, maximumHeight)}px`; }
  /** Fills all rows again. */
  refresh() {
    this.#version += 1;
    this.render();
  }
  /** Creates all rows again, because their cells or their height have changed. */
  rebuild() {
    this.#rows = [];
    this.#showHeight();
    this.render();
  }
  /** Scrolls so that a row is completely visible. */
  reveal(index) {
    const top = index * this.rowHeight;
    // The list can be filled before it is visible.
    const rest = Math.max(0, this.viewport - this.rowHeight);
    if (top < this.#offset) this.moveTo(top);
    else if (top > this.#offset + rest) this.moveTo(top - rest);
  }
  /** Scrolls to an offset in the list, in pixels. */
  moveTo(offset) {
    this.#offset = Math.max(0, Math.min(offset, this.#limit));
    const top = this.#offset / this.#scale;
    // Setting an equal position would force a layout, too.
    if (top !== this.#expected) {
      this.scroller.scrollTop = top;
      this.#expected = this.scroller.scrollTop;
    }
    this.render();
  }
  /** Returns the element that shows an index, or undefined if it is not visible. */
  row(index) {
    const row = this.#rows[index % this.#rows.length];
    return row?.index === index ? row.element : undefined;
  }
  measure() {
    if (this.scroller.clientHeight === 0) return;
    this.viewport = Math.max(0, this.scroller.clientHeight - this.headerHeight);
    // A list that was hidden is at its start.
    this.#expected = this.scroller.scrollTop;
    this.moveTo(this.#offset);
  }
  #scrolled() {
    const { scrollTop } = this.scroller;
    if (Math.abs(scrollTop - this.#expected) <= 0.5) return;
    this.#expected = scrollTop;
    this.#offset = Math.min(this.#limit, scrollTop * this.#scale);
    this.render();
  }
  #turned(event) {
    if (event.ctrlKey || event.deltaY === 0) return;
    event.preventDefault();
    this.moveTo(this.#offset + event.deltaY * [1, this.rowHeight, this.viewport][event.deltaMode]);
  }
  render() {
    const needed = Math.ceil(this.viewport / this.rowHeight) + 2 * overscan;
    if (this.#rows.length < needed) {
      this.#rows = Array.from({ length: needed }, () => ({ element: this.createRow(), index: -1, version: -1 }));
      this.body.replaceChildren(...this.#rows.map((row) => row.element));
    }
    const length = this.#rows.length;
    const first = Math.max(0, Math.floor(this.#offset / this.rowHeight) - overscan);
    const last = Math.min(this.count, first + length);
    const shift = this.#scale === 1 ? 0 : this.#expected - this.#offset;
    for (let index = first; index < first + length; index += 1) {
      const row = this.#rows[index % length];
      const isVisible = index < last;
      if (row.isVisible !== isVisible) row.element.hidden = !isVisible;
      row.isVisible = isVisible;
      const top = index * this.rowHeight + shift;
      if (row.top !== top) row.element.style.transform = `translateY(${top}px)`;
      row.top = top;
      const isFilled = row.index === index && row.version === this.#version;
      Object.assign(row, { index: isVisible ? index : -1, version: this.#version });
      if (isVisible && !isFilled) this.fillRow(row.element, index);
    }
    this.rendered?.(first, last);
  }
}
