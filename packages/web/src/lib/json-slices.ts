/**
 * JSON that arrives in pieces, parsed piece by piece: every object in one of the outermost lists by itself, such as each
 * finding of a report, and at the end what stands around them. So no part of the work is long, however large the whole.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;

/** Stands for an object that was parsed. No JSON of a service holds a number that is too large to be one. */
const HOLE = '1e999';

export class JsonSlices {
  /** What has not been parsed: from the beginning of an object, or nothing. */
  #text = '';
  #around = '';
  readonly #parsed: unknown[] = [];
  /** Of each container around the place that is looked at: whether it is a list. */
  readonly #containers: boolean[] = [];
  #isInText = false;
  #isEscaped = false;
  /** How many containers are around the object that is being gathered; -1 outside of one. */
  #outside = -1;

  /** @throws SyntaxError */
  add(piece: string): void {
    const text = this.#text + piece;
    let start = 0;
    for (let at = this.#text.length; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (this.#isInText) this.#followText(code);
      else if (code === QUOTE) this.#isInText = true;
      else if (code === LEFT_BRACE || code === LEFT_BRACKET) {
        if (code === LEFT_BRACE && this.#outside === -1 && this.#containers.at(-1) === true) {
          this.#around += text.slice(start, at);
          this.#outside = this.#containers.length;
          start = at;
        }
        this.#containers.push(code === LEFT_BRACKET);
      } else if (code === RIGHT_BRACE || code === RIGHT_BRACKET) {
        this.#containers.pop();
        if (this.#containers.length === this.#outside) {
          this.#parsed.push(JSON.parse(text.slice(start, at + 1)));
          this.#around += HOLE;
          this.#outside = -1;
          start = at + 1;
        }
      }
    }
    this.#text = text.slice(start);
    if (this.#outside === -1) {
      this.#around += this.#text;
      this.#text = '';
    }
  }

  /** @throws SyntaxError when it was no JSON, or not all of it. */
  end(): unknown {
    let filled = 0;
    const fill = (value: unknown): unknown => {
      if (value === Infinity && filled < this.#parsed.length) return this.#parsed[filled++];
      if (Array.isArray(value)) return value.map(fill);
      if (value === null || typeof value !== 'object') return value;
      for (const [key, part] of Object.entries(value)) (value as Record<string, unknown>)[key] = fill(part);
      return value;
    };
    const whole = fill(JSON.parse(this.#around + this.#text));
    if (filled !== this.#parsed.length) throw new SyntaxError('The parts do not make a whole.');
    return whole;
  }

  #followText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInText = false;
  }
}
