/** Which rule a result is of, and what the log says of that rule. */
import { fields, itemAt, items, text, type Fields } from './sarif-document.ts';

export interface Rule {
  /** As the result gives it; empty when neither the result nor any rule has one. */
  readonly id: string;
  /** Empty when the log does not describe it. */
  readonly descriptor: Fields;
  /** The part of the tool that has the rule. */
  readonly component: Fields;
}

/** Finds rules in one run: by reference, by number, by id, within the driver or an extension. */
export class RuleBook {
  readonly #driver: Fields;
  readonly #extensions: readonly Fields[];
  readonly #byId = new Map<Fields, Map<string, Fields>>();

  constructor(tool: Fields) {
    this.#driver = fields(tool['driver']);
    this.#extensions = items(tool['extensions']).map(fields);
  }

  ruleOf(result: Fields): Rule {
    const reference = fields(result['rule']);
    const component = this.#componentOf(fields(reference['toolComponent']));
    const givenId = text(result['ruleId']) ?? text(reference['id']);
    const numbered =
      itemAt(component['rules'], reference['index']) ?? itemAt(component['rules'], result['ruleIndex']);
    // A number that leads to a rule of another id is wrong more often than the id is.
    if (numbered !== undefined && (givenId === undefined || isKindOf(givenId, text(numbered['id']))))
      return { id: givenId ?? text(numbered['id']) ?? '', descriptor: numbered, component };
    if (givenId === undefined) return this.#ruleNamedBy(result, component);
    for (const place of new Set([component, this.#driver, ...this.#extensions])) {
      const descriptor = this.#described(place, givenId);
      if (descriptor !== undefined) return { id: givenId, descriptor, component: place };
    }
    return { id: givenId, descriptor: numbered ?? {}, component };
  }

  #componentOf(reference: Fields): Fields {
    const numbered = itemAt(this.#extensions, reference['index']);
    if (numbered !== undefined) return numbered;
    const guid = text(reference['guid']);
    const name = text(reference['name']);
    const isMeant = (component: Fields) =>
      (guid !== undefined && component['guid'] === guid) ||
      (guid === undefined && name !== undefined && component['name'] === name);
    return this.#extensions.find(isMeant) ?? this.#driver;
  }

  /** By its whole id, or else by what stands before its last slash: `CWE-78/handler` is a kind of `CWE-78`. */
  #described(component: Fields, id: string): Fields | undefined {
    let byId = this.#byId.get(component);
    if (byId === undefined) {
      byId = new Map();
      for (const rule of items(component['rules']).map(fields).toReversed()) {
        byId.set(text(rule['id']) ?? '', rule);
      }
      this.#byId.set(component, byId);
    }
    const known = byId.get(id);
    if (known !== undefined) return known;
    const end = id.lastIndexOf('/');
    return end > 0 ? byId.get(id.slice(0, end)) : undefined;
  }

  /** Some tools give no id, but begin the message with it. */
  #ruleNamedBy(result: Fields, component: Fields): Rule {
    const message = text(fields(result['message'])['text']) ?? '';
    let found: Rule = { id: '', descriptor: {}, component };
    for (const descriptor of items(component['rules']).map(fields)) {
      const id = text(descriptor['id']) ?? '';
      const isNamed = [id, text(descriptor['name']) ?? ''].some(
        (name) => name !== '' && message.startsWith(name),
      );
      if (isNamed && id.length > found.id.length) found = { id, descriptor, component };
    }
    return found;
  }
}

function isKindOf(id: string, ruleId: string | undefined): boolean {
  return ruleId === undefined || id === ruleId || id.startsWith(`${ruleId}/`);
}
