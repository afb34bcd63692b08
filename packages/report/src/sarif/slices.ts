/** The positions of the elements of a list: pairs of start and end, in order. */
export class Slices {
  #offsets = new Float64Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(start: number, end: number): void {
    if (this.#offsets.length < (this.#length + 1) * 2) {
      const larger = new Float64Array(this.#offsets.length * 2);
      larger.set(this.#offsets);
      this.#offsets = larger;
    }
    this.#offsets[this.#length * 2] = start;
    this.#offsets[this.#length * 2 + 1] = end;
    this.#length += 1;
  }

  startOf(index: number): number {
    return this.#offsets[index * 2] ?? 0;
  }

  endOf(index: number): number {
    return this.#offsets[index * 2 + 1] ?? 0;
  }

  /** Where a slice that starts at `first` ends: as many elements as fit into the bytes, but at least one. */
  endWithin(first: number, bytes: number): number {
    const limit = this.startOf(first) + bytes;
    let end = first + 1;
    while (end < this.#length && this.endOf(end) <= limit) end += 1;
    return end;
  }
}
