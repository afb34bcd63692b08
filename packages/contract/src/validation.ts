/** Compiled schemas, and the validation issues of a value as the API returns them. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { Settings } from 'typebox/system';
import { Errors } from 'typebox/value';
import { checkFrom, type CheckMaker } from './compiled-checks.ts';
import type { Issue } from './errors.ts';
import { limits } from './limits.ts';

export type Validator = Pick<ReturnType<typeof Compile>, 'Check' | 'Errors'>;

const validators = new WeakMap<object, Validator>();

/** Compiles on first use, so that a process starts without compiling schemas that it never uses. */
export function validatorOf(schema: TSchema): Validator {
  let validator = validators.get(schema);
  if (!validator) {
    validator = Compile(schema);
    validators.set(schema, validator);
  }
  return validator;
}

/**
 * Makes `validatorOf` use a check that the build compiled, in a program that may not generate code. Without it, a
 * schema is interpreted there.
 */
export function provideCheck(schema: TSchema, make: CheckMaker): void {
  const check = checkFrom(schema, make);
  validators.set(schema, {
    Check: (value): value is unknown => check(value),
    Errors: (value) => (check(value) ? [] : Errors(schema, value)),
  });
}

const PATH_LENGTH_MAX = 200;

/**
 * Returns at most `issuesMax` issues. They never contain a value of the input.
 * @param shown converts a path for output; paths contain the names of unknown fields.
 */
export function issuesOf(
  validator: Validator,
  value: unknown,
  issuesMax: number = limits.issuesMax,
  shown: (path: string) => string = (path) => path,
): Issue[] {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  // The library stops after this many errors. Twice the issues, since some errors are merged.
  Settings.Set({ maxErrors: issuesMax * 2 });
  for (const { keyword, instancePath, params, message } of validator.Errors(value)) {
    const found = issuesOfKeyword(keyword, instancePath, params, message);
    for (const issue of found) {
      if (seen.has(issue.path) || issues.length >= issuesMax) continue;
      seen.add(issue.path);
      issues.push({ ...issue, path: shown(issue.path).slice(0, PATH_LENGTH_MAX) });
    }
  }
  return issues;
}

function issuesOfKeyword(
  keyword: string,
  path: string,
  params: Record<string, unknown>,
  message: string,
): Issue[] {
  switch (keyword) {
    case 'required':
      return (params['requiredProperties'] as string[]).map((name) => ({
        path: `${path}/${name}`,
        message: 'is required',
      }));
    case 'boolean':
      return [{ path, message: 'is not a known field' }];
    case 'additionalProperties':
    case 'anyOf':
      // Each field has an issue of its own.
      return [];
    case 'enum':
      return [{ path, message: `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}` }];
    default:
      return [{ path, message }];
  }
}
