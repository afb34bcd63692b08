/** JSON files by which an operator can replace built-in tables. */
import { readFileSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { StartError } from '#start-error';

/**
 * @param variable the configuration variable that names the file, for messages.
 * @throws StartError when the file cannot be read, is not JSON or does not match the schema.
 */
export function readOperatorFile<Schema extends TSchema>(
  variable: string,
  path: string,
  schema: Schema,
): Static<Schema> {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    const reason = cause instanceof SyntaxError ? 'it is not JSON' : whyUnread(cause);
    throw new StartError(rejection(variable, path, reason), { cause });
  }
  const validator = validatorOf(schema);
  if (validator.Check(content)) return content as Static<Schema>;
  const [issue] = issuesOf(validator, content);
  throw new StartError(rejection(variable, path, `${issue?.path || 'its content'} ${issue?.message}`));
}

function rejection(variable: string, path: string, reason: string): string {
  return `${variable}: is ${JSON.stringify(path)}, a file that cannot be used: ${reason}; it must be a JSON file as docs/OPERATING.md describes it, or unset to use the built-in values.`;
}

const UNREAD: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not read it',
};

function whyUnread(error: unknown): string {
  const { code = 'it cannot be read' } = error as { code?: string };
  return Object.hasOwn(UNREAD, code) ? `${UNREAD[code]} (${code})` : code;
}
