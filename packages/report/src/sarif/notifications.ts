/**
 * The notifications of a run that report an error. Their level is stated, or set for the invocation, or the default of
 * their descriptor. An exception is an error at any level.
 */
import { Configurations } from './configurations.ts';
import { fields, itemAt, items, listed, text, type Fields } from './parts.ts';
import { invocationsOf } from './execution.ts';
import { isErrorLevel } from './levels.ts';
import { componentIn } from './rules.ts';

export function errorsIn(run: Fields): Fields[] {
  const descriptorOf = descriptorFinder(fields(run['tool']));
  return invocationsOf(run).flatMap((invocation) => {
    const overrides = listed(invocation['notificationConfigurationOverrides']);
    const configurations = new Configurations([{ ruleConfigurationOverrides: overrides }], descriptorOf);
    const levelOf = (notification: Fields) => {
      const reference = fields(notification['descriptor']);
      const id = text(reference['id']) ?? '';
      const configured = configurations.of({}, id, descriptorOf(reference) ?? {});
      return text(notification['level']) ?? configured.level ?? 'warning';
    };
    return ['toolExecutionNotifications', 'toolConfigurationNotifications']
      .flatMap((name) => listed(invocation[name]).map(fields))
      .filter(
        (notification) => isException(notification['exception']) || isErrorLevel(levelOf(notification)),
      );
  });
}

function isException(value: unknown): boolean {
  return text(value) !== undefined || Object.keys(fields(value)).length > 0;
}

/** Whether a notification names a file or a rule, and so concerns only that part of the run. */
export function isOfOnePart(notification: Fields): boolean {
  return (
    listed(notification['locations']).length > 0 ||
    Object.keys(fields(notification['associatedRule'])).length > 0
  );
}

/** Finds the descriptor of a notification by its index or its id. */
function descriptorFinder(tool: Fields): (reference: Fields) => Fields | undefined {
  const driver = fields(tool['driver']);
  const extensions = items(tool['extensions']).map(fields);
  const known = new Map<Fields, ReadonlyMap<unknown, Fields>>();
  return (reference) => {
    const component = componentIn(driver, extensions, fields(reference['toolComponent']));
    const id = text(reference['id']);
    const numbered = itemAt(component['notifications'], reference['index']);
    if (numbered !== undefined && (id === undefined || numbered['id'] === id)) return numbered;
    let byId = known.get(component);
    if (byId === undefined) {
      const descriptors = items(component['notifications']).map(fields);
      known.set(component, (byId = new Map(descriptors.map((each) => [each['id'], each]))));
    }
    return id === undefined ? undefined : byId.get(id);
  };
}
