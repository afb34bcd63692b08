/** Prompts at the terminal. The library that draws them is loaded with the first prompt. */
import { CliError } from '../errors.ts';
import { safeLine } from './safe-text.ts';
import type { Questions } from './terminal.ts';

/** Standard output is the command's result, so prompts are drawn on standard error. */
export function createQuestions(signal: AbortSignal): Questions {
  const where = { input: process.stdin, output: process.stderr, signal };
  return {
    async confirm(question, initial) {
      const { confirm } = await import('@clack/prompts');
      return answered(await confirm({ ...where, message: safeLine(question), initialValue: initial }));
    },
    async text(question, { initial, validate } = {}) {
      const { text } = await import('@clack/prompts');
      return answered(
        await text({
          ...where,
          message: safeLine(question),
          ...(initial === undefined ? {} : { defaultValue: initial, placeholder: safeLine(initial) }),
          ...(validate
            ? { validate: (value) => validate(value === undefined || value === '' ? (initial ?? '') : value) }
            : {}),
        }),
      );
    },
    async select<Value extends string>(
      question: string,
      choices: readonly { value: Value; label: string; hint?: string }[],
    ) {
      const { select } = await import('@clack/prompts');
      const shown = choices.map(({ value, label, hint }) => ({
        value: value as string,
        label: safeLine(label),
        ...(hint === undefined ? {} : { hint: safeLine(hint) }),
      }));
      return answered(
        await select<string>({ ...where, message: safeLine(question), options: shown }),
      ) as Value;
    },
  };
}

/** The library returns a symbol when the person cancelled. */
function answered<Value>(answer: Value): Exclude<Value, symbol> {
  if (typeof answer === 'symbol') throw new CliError('interrupted', 'Nothing was changed.');
  return answer as Exclude<Value, symbol>;
}

function reject(question: string): Promise<never> {
  return Promise.reject(
    new CliError('usage', `Can't prompt, because this is not a terminal: ${question}`, {
      hint: 'Pass the answer as an option; --help lists them.',
    }),
  );
}

export const rejectedQuestions: Questions = { confirm: reject, text: reject, select: reject };
