/** The option of gates and exports about triage decisions. */
import type { OptionDescription } from '../command.ts';

export const decisionsOption: OptionDescription = {
  form: '--decisions <source>',
  summary:
    'Which decisions set findings aside (default: service if the repository is bound and this machine is linked, else local)',
  choices: ['service', 'local', 'none'],
};
