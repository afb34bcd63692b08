/** `svc report validate`: checks a report in any form, and lists everything that is wrong with it. */
import type { Issue } from '@svc/contract';
import { importSarif, SarifError } from '@svc/report';
import path from 'node:path';
import type { Invocation, Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { reportIssues } from './canonical.ts';
import { finishedReport } from './finished.ts';
import { readJson } from './json-input.ts';
import { ownPaths } from './own-paths.ts';
import { withStore } from './picked.ts';
import { formNames, formOf, projectionIssues, type ReportForm } from './report-form.ts';
import { issueLine, REPORT_FILE_BYTES_MAX, shownName } from './report-file.ts';

interface ValidationResult {
  /** Null when the form is unknown. */
  readonly form: ReportForm | null;
  readonly issues: readonly Issue[];
  /** What an import would leave out or change; for SARIF only. */
  readonly warnings: readonly string[];
  /** The sentence about a report without issues, after its form. */
  readonly about: string;
}

export const run: Run = async (invocation, terminal) => {
  const [given] = invocation.arguments;
  const file = typeof given === 'string' ? given : undefined;
  const { form, issues, warnings, about } = await (file === undefined
    ? ownReport(invocation)
    : fileOf(file, invocation));
  const valid = issues.length === 0;
  const { green, yellow } = terminal.colours;
  const shown = file === undefined ? 'The report' : shownName(file);
  terminal.result({ valid, form, issues, warnings }, () =>
    valid && form !== null
      ? [
          `${green('✓')} ${shown} is ${formNames[form]}, and valid. ${about}`.trimEnd(),
          ...warnings.map((line) => `${yellow('!')} ${safeLine(line)}`),
        ]
      : [],
  );
  if (valid) return;
  // With `--json` the result contains the issues.
  const details = terminal.isJson ? [] : issues.map(issueLine);
  const message =
    form === null ? `${shown} is not a report.` : `${shown} is not valid as ${formNames[form]}.`;
  throw new CliError('rejected', message, {
    details,
    ...(form === null && {
      hint: 'Give the output of svc report show --json, svc export --format json or svc export --format sarif.',
    }),
  });
};

async function fileOf(file: string, invocation: Invocation): Promise<ValidationResult> {
  const input = await readJson({ file, sizeBytesMax: REPORT_FILE_BYTES_MAX }, invocation);
  if (!input.isJson) return wrong(null, `is ${input.reason}`);
  const { value, bytes } = input;
  const form = formOf(value);
  const checked = { warnings: [], about: '' };
  switch (form) {
    case undefined:
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? wrong(null, 'is JSON without the fields of a report')
        : wrong(null, 'must be object');
    case 'canonical':
      return { form, issues: reportIssues(value), ...checked };
    case 'projection':
      return { form, issues: projectionIssues(value), ...checked };
    case 'sarif':
      return sarif(bytes, invocation.folder);
  }
}

/** Validates a log by reading it the way an import does. */
function sarif(bytes: Uint8Array, folder: string): ValidationResult {
  try {
    const { findings, tools, warnings } = importSarif(bytes, {
      withoutLocalPaths: ownPaths(path.resolve(folder)).text,
    });
    const names = tools.map(({ name }) => safeLine(name)).join(', ') || 'no tool';
    const count = findings.length === 1 ? '1 finding' : `${findings.length} findings`;
    return {
      form: 'sarif',
      issues: [],
      warnings,
      about: `It is from ${names} and has ${count}; svc scan --sarif imports it.`,
    };
  } catch (error) {
    if (error instanceof SarifError) return wrong('sarif', error.message);
    throw error;
  }
}

function wrong(form: ReportForm | null, message: string): ValidationResult {
  return { form, issues: [{ path: '', message }], warnings: [], about: '' };
}

function ownReport(invocation: Invocation): Promise<ValidationResult> {
  return withStore(invocation, async (store) => {
    const { report } = await finishedReport(store, invocation);
    return { form: 'canonical', issues: reportIssues(report), warnings: [], about: '' };
  });
}
