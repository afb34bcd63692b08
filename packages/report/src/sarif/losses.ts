/** Counts the parts of results that do not fit into findings, and reports them in sentences. */
const sentences = {
  locations: ['location', 'of results left out: a finding can have at most 64 items of evidence'],
  steps: ['step', 'of code flows left out: a finding can have at most 64 items of evidence'],
  flows: ['code flow', 'left out, including all steps'],
  quotes: ['code snippet', 'left out: the evidence of a finding has a size limit'],
  fixes: [
    'fix or change',
    'left out: a finding can have at most 5 fixes with 8 changes, each with a location',
  ],
  texts: ['text', 'shortened: too long for a finding'],
  tags: ['tag', 'left out: a finding can have at most 32'],
  reservedTags: ['tag', 'left out: tool:, rule:, area:, identity: and weak-identity are reserved'],
  references: [
    'reference',
    'left out: a finding can have at most 32, which must be web addresses of at most 500 characters',
  ],
  taxonomy: ['weakness', 'left out: a finding can name at most 16'],
  paths: [
    'path',
    'left out: too long, nested in too many folders, or one of more than 32 working directories',
  ],
  deepParts: ['value', 'left out: nested more than 100 levels deep'],
  fields: ['field', 'dropped or renamed: not valid in a report'],
} as const;

export type Loss = keyof typeof sentences;

const plurals: Readonly<Record<string, string>> = {
  'fix or change': 'fixes or changes',
  weakness: 'weaknesses',
};

export class Losses {
  readonly #counts = new Map<Loss, number>();

  count(what: Loss, by = 1): void {
    if (by > 0) this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  of(what: Loss): number {
    return this.#counts.get(what) ?? 0;
  }

  warnings(): string[] {
    return (Object.keys(sentences) as Loss[]).flatMap((what) => {
      const count = this.of(what);
      const [one, rest] = sentences[what];
      return count === 0 ? [] : [`${count} ${count === 1 ? one : (plurals[one] ?? `${one}s`)} ${rest}.`];
    });
  }
}
