/** The rule of a result, and the log's description of it. */
import { Configurations, type Configuration } from './configurations.ts';
import { bounded, fields, itemAt, items, natural, text, type Fields } from './parts.ts';
import { RuleIndex } from './rule-index.ts';

export interface Rule {
  /** The result's own id; empty when neither the result nor any rule has one. */
  readonly id: string;
  /** Empty when the log does not describe it. */
  readonly descriptor: Fields;
  /** The part of the tool that defines the rule. */
  readonly component: Fields;
  /** The configuration for this run. */
  readonly configuration: Configuration;
}

interface Described extends Pick<Rule, 'id' | 'descriptor'> {
  readonly component: Component;
}

/** In UTF-16 units. */
const ID_LENGTH_MAX = 1000;

interface Component {
  readonly fields: Fields;
  readonly rules: RuleIndex;
}

/** A rule of the whole tool, and the number of the component that defines it: 0 for the driver. */
interface Placed {
  readonly descriptor: Fields;
  readonly order: number;
}

/** Finds rules in one run: by reference, by number, by id, within the driver or an extension. */
export class RuleBook {
  /** The driver, then the extensions. */
  readonly #components: readonly Component[];
  readonly #byGuid = new Map<unknown, Component>();
  readonly #byName = new Map<unknown, Component>();
  /** The first rule of all components with each id. */
  #byId: ReadonlyMap<string | undefined, Placed> | undefined;
  readonly #configurations: Configurations;
  /** Rules by the id and the index that results give. */
  readonly #known = new Map<string, Rule>();

  constructor(tool: Fields, invocations?: unknown) {
    const [driver, ...extensions] = [tool['driver'], ...items(tool['extensions'])].map(componentOf);
    this.#components = [driver as Component, ...extensions];
    for (const component of extensions) {
      const { guid, name } = component.fields;
      if (!this.#byGuid.has(guid)) this.#byGuid.set(guid, component);
      if (!this.#byName.has(name)) this.#byName.set(name, component);
    }
    this.#configurations = new Configurations(invocations, (reference) =>
      ruleIn(this.#componentOf(fields(reference['toolComponent'])), reference),
    );
  }

  /** The same object for all results that give the same id and index, and no other reference to a rule. */
  ruleOf(result: Fields): Rule {
    const { ruleId, ruleIndex, rule, provenance } = result;
    if (text(ruleId) === undefined || rule !== undefined || provenance !== undefined)
      return this.#ruleOf(result);
    const key = `${String(natural(ruleIndex))} ${String(ruleId)}`;
    let known = this.#known.get(key);
    if (known === undefined) this.#known.set(key, (known = this.#ruleOf(result)));
    return known;
  }

  #ruleOf(result: Fields): Rule {
    const { id, descriptor, component } = this.#describedRule(result);
    const configuration = this.#configurations.of(result, id, descriptor);
    return { id: bounded(id, ID_LENGTH_MAX), descriptor, component: component.fields, configuration };
  }

  #describedRule(result: Fields): Described {
    const reference = fields(result['rule']);
    const component = this.#componentOf(fields(reference['toolComponent']));
    const { rules } = component.fields;
    const givenId = text(result['ruleId']) ?? text(reference['id']);
    const numbered = itemAt(rules, reference['index']) ?? itemAt(rules, result['ruleIndex']);
    // If the rule at the index has another id, the index is more likely to be wrong than the id.
    if (numbered !== undefined && (givenId === undefined || isKindOf(givenId, text(numbered['id']))))
      return { id: givenId ?? text(numbered['id']) ?? '', descriptor: numbered, component };
    if (givenId === undefined) return ruleNamedBy(result, component);
    const own = ruleWithId(givenId, (id) => component.rules.byId(id));
    if (own !== undefined) return { id: givenId, descriptor: own, component };
    return this.#ruleOfAnyone(givenId) ?? { id: givenId, descriptor: numbered ?? {}, component };
  }

  #componentOf(reference: Fields): Component {
    const index = natural(reference['index']);
    const numbered = index === undefined ? undefined : this.#components[index + 1];
    if (numbered !== undefined) return numbered;
    const guid = text(reference['guid']);
    const name = text(reference['name']);
    const meant =
      guid !== undefined ? this.#byGuid.get(guid) : name === undefined ? undefined : this.#byName.get(name);
    return meant ?? (this.#components[0] as Component);
  }

  /** The rule of the first component that describes it. Within a component, the whole id counts before its part. */
  #ruleOfAnyone(givenId: string): Described | undefined {
    this.#byId ??= firstById(this.#components);
    const [whole, part] = [givenId, partOf(givenId)].map((id) =>
      id === undefined ? undefined : this.#byId?.get(id),
    );
    const found = whole === undefined || (part !== undefined && part.order < whole.order) ? part : whole;
    const component = found && this.#components[found.order];
    return component && { id: givenId, descriptor: found.descriptor, component };
  }
}

function componentOf(value: unknown): Component {
  const component = fields(value);
  return { fields: component, rules: new RuleIndex(component) };
}

function firstById(components: readonly Component[]): ReadonlyMap<string | undefined, Placed> {
  const first = new Map<string | undefined, Placed>();
  components.forEach(({ rules }, order) => {
    for (const [id, descriptor] of rules.ids) if (!first.has(id)) first.set(id, { descriptor, order });
  });
  return first;
}

/**
 * Finds a rule by its whole id, otherwise by the part before its last slash: `CWE-78/handler` is a kind of `CWE-78`.
 */
function ruleWithId(id: string, byId: (id: string) => Fields | undefined): Fields | undefined {
  const part = partOf(id);
  return byId(id) ?? (part === undefined ? undefined : byId(part));
}

function partOf(id: string): string | undefined {
  const end = id.lastIndexOf('/');
  return end > 0 ? id.slice(0, end) : undefined;
}

/** The rule of a component that a reference gives by index, id or GUID. */
function ruleIn({ fields: component, rules }: Component, reference: Fields): Fields | undefined {
  const numbered = itemAt(component['rules'], reference['index']);
  const id = text(reference['id']);
  const guid = text(reference['guid']);
  if (numbered !== undefined && (id === undefined || text(numbered['id']) === id)) return numbered;
  if (id !== undefined) return rules.byId(id);
  return guid === undefined ? undefined : rules.byGuid(guid);
}

/** Some tools give no id, but begin the message with it. */
function ruleNamedBy(result: Fields, component: Component): Described {
  const descriptor = component.rules.namedBy(text(fields(result['message'])['text']) ?? '');
  return { id: text(descriptor?.['id']) ?? '', descriptor: descriptor ?? {}, component };
}

/** The part of a tool that a reference gives by index, guid or name; the driver where it names none. */
export function componentIn(driver: Fields, extensions: readonly Fields[], reference: Fields): Fields {
  const numbered = itemAt(extensions, reference['index']);
  if (numbered !== undefined) return numbered;
  const guid = text(reference['guid']);
  const name = text(reference['name']);
  const isMeant = (component: Fields) =>
    (guid !== undefined && component['guid'] === guid) ||
    (guid === undefined && name !== undefined && component['name'] === name);
  return extensions.find(isMeant) ?? driver;
}

function isKindOf(id: string, ruleId: string | undefined): boolean {
  return ruleId === undefined || id === ruleId || id.startsWith(`${ruleId}/`);
}
