/**
 * The description of `svc completion`. It is given the other commands as a parameter, since no command imports the list
 * of commands.
 */
import type { Command } from '../command.ts';

export const completionOf = (commands: () => readonly Command[]): Command => ({
  name: 'completion',
  summary: 'Print a script that completes commands and options',
  arguments: [{ form: '<shell>', summary: 'The shell', choices: ['bash', 'zsh', 'fish'] }],
  examples: [
    { command: 'eval "$(svc completion bash)"', does: 'Load it from ~/.bashrc' },
    { command: 'eval "$(svc completion zsh)"', does: 'Load it from ~/.zshrc, after compinit' },
    {
      command: 'svc completion fish > ~/.config/fish/completions/svc.fish',
      does: 'Save it where fish looks for it',
    },
  ],
  async load() {
    const { printScript } = await import('../completion/completion.ts');
    return { run: printScript(commands()) };
  },
});
