/**
 * Parses JSON in pieces as it arrives. Each object in an outermost list, such as a finding of a report, is parsed when
 * it is complete, and the rest at the end. So no single step takes long, however large the document is.
 */
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LEFT_BRACKET = 0x5b;
const RIGHT_BRACKET = 0x5d;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;

/** The placeholder of a parsed object. The service never sends a number that overflows to Infinity. */
const HOLE = '1e999';

export class JsonSlices {
  /** The text of an object that is not complete yet; otherwise empty. */
  #text = '';
  #around = '';
  readonly #parsed: unknown[] = [];
  /** Whether each container around the current position is an array. */
  readonly #containers: boolean[] = [];
  #isInText = false;
  #isEscaped = false;
  /** How many containers surround the object that is being collected; -1 if none is. */
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

  /** @throws SyntaxError if the text is not JSON or is incomplete. */
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
    if (filled !== this.#parsed.length) throw new SyntaxError('The JSON is incomplete.');
    return whole;
  }

  #followText(code: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (code === BACKSLASH) this.#isEscaped = true;
    else if (code === QUOTE) this.#isInText = false;
  }
}
