/**
 * The rules of one component by id, by GUID, and by the name that a message begins with. Of rules with the same id or
 * GUID, the first counts.
 */
import { fields, items, text, type Fields } from './parts.ts';

/** No message begins with a longer name. */
const NAMED_LENGTH_MAX = 200;

export class RuleIndex {
  readonly #rules: readonly Fields[];
  readonly #byId = new Map<string | undefined, Fields>();
  readonly #byGuid = new Map<string | undefined, Fields>();
  #named: NamedRules | undefined;

  constructor(component: Fields) {
    this.#rules = items(component['rules']).map(fields);
    for (const rule of this.#rules) {
      const [id, guid] = [text(rule['id']), text(rule['guid'])];
      if (!this.#byId.has(id)) this.#byId.set(id, rule);
      if (!this.#byGuid.has(guid)) this.#byGuid.set(guid, rule);
    }
  }

  byId(id: string): Fields | undefined {
    return this.#byId.get(id);
  }

  byGuid(guid: string): Fields | undefined {
    return this.#byGuid.get(guid);
  }

  get ids(): Iterable<readonly [id: string | undefined, rule: Fields]> {
    return this.#byId;
  }

  /** The rule with the longest id of those whose id or name the message begins with. */
  namedBy(message: string): Fields | undefined {
    this.#named ??= new NamedRules(this.#rules);
    return this.#named.find(message);
  }
}

class NamedRules {
  /**
   * The rule by each name that a message may begin with. If several rules have the name, the one with the longest id.
   */
  readonly #rules = new Map<string, Fields>();
  readonly #lengths: readonly number[];

  constructor(rules: readonly Fields[]) {
    const lengths = new Set<number>();
    for (const rule of rules) {
      if (idLength(rule) === 0) continue;
      for (const name of [text(rule['id']), text(rule['name'])]) {
        if (name === undefined || name.length > NAMED_LENGTH_MAX) continue;
        lengths.add(name.length);
        const known = this.#rules.get(name);
        if (known === undefined || idLength(rule) > idLength(known)) this.#rules.set(name, rule);
      }
    }
    this.#lengths = [...lengths];
  }

  find(message: string): Fields | undefined {
    let found: Fields | undefined;
    for (const length of this.#lengths) {
      const rule = length > message.length ? undefined : this.#rules.get(message.slice(0, length));
      if (rule !== undefined && (found === undefined || idLength(rule) > idLength(found))) found = rule;
    }
    return found;
  }
}

function idLength(rule: Fields): number {
  return text(rule['id'])?.length ?? 0;
}
