/** The commands about the project of this repository. */
import type { Command, OptionDescription } from '../command.ts';

export const acceptBindingOption: OptionDescription = {
  form: '--accept-binding',
  summary: 'Use the binding of this repository even if it was created for another remote',
};

export const init: Command = {
  name: 'init',
  summary: 'Bind this repository to a project in a workspace',
  description:
    'Writes .svc.json at the root of the repository. Commit it, so that every clone belongs to the same project. If the ' +
    'repository is already bound, shows the project and adds a missing digest of the remote.',
  options: [
    { form: '--workspace <id or name>', summary: 'The workspace; without it you are asked' },
    {
      form: '--name <name>',
      summary: "The project's name (default: the name of the git remote or the folder)",
    },
    { form: '--new-binding', summary: 'Create a new binding, for example for a fork' },
    acceptBindingOption,
  ],
  examples: [
    { command: 'svc init', does: 'Bind the repository you are in' },
    { command: 'svc init --workspace Acme --name shop', does: 'Bind it without prompts' },
    {
      command: 'svc init --new-binding',
      does: 'Bind a fork, which contains the binding of the original project',
    },
  ],
  load: () => import('../project/init.ts'),
};

export const quota: Command = {
  name: 'quota',
  summary: 'Show how many reports you can still sync',
  description: 'Uses the plan of the given workspace, else of the bound project, else the free plan.',
  options: [{ form: '--workspace <id or name>', summary: 'The workspace whose plan applies' }],
  examples: [
    { command: 'svc quota', does: 'Show what is left today and this week' },
    { command: 'svc quota --workspace Acme', does: 'Use the plan of a workspace' },
  ],
  load: () => import('../project/quota.ts'),
};
