/** The commands about the project of this repository. */
import type { Command, OptionDescription } from '../command.ts';

export const acceptBindingOption: OptionDescription = {
  form: '--accept-binding',
  summary: 'Use the binding of this repository though it was made for another remote',
};

export const init: Command = {
  name: 'init',
  summary: 'Bind this repository to a project of a workspace',
  description:
    'Writes .svc.json at the root of the repository. Commit it: every clone is then the same project. Run again, it ' +
    'says what is bound, and adds the digest of the remote to a file of an older version.',
  options: [
    { form: '--workspace <id or name>', summary: 'The workspace, instead of being asked' },
    { form: '--name <name>', summary: "The project's name (default: that of the git remote or the folder)" },
    { form: '--new-binding', summary: 'Give the repository a binding of its own, as a fork needs' },
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc init', does: 'Bind the repository you are in' },
    { command: 'svc init --workspace Acme --name shop', does: 'Bind it without questions' },
    { command: 'svc init --new-binding', does: 'Bind a fork, which carries the binding of another project' },
  ],
  load: () => import('../project/init.ts'),
};

export const quota: Command = {
  name: 'quota',
  summary: 'Show how many reports can still be synced',
  description: 'By the plan of the workspace named, of the bound project, or else of the free plan.',
  options: [{ form: '--workspace <id or name>', summary: 'The workspace whose plan counts' }],
  examples: [
    { command: 'svc quota', does: 'Show what is left today and this week' },
    { command: 'svc quota --workspace Acme', does: 'By the plan of a workspace' },
  ],
  load: () => import('../project/quota.ts'),
};
