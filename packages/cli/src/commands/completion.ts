/** The command that teaches a shell the others. */
import type { Command } from '../command.ts';

export const completion: Command = {
  name: 'completion',
  summary: 'Print a script that completes commands and options',
  arguments: [{ form: '<shell>', summary: 'The shell it is for', choices: ['bash', 'zsh', 'fish'] }],
  examples: [
    { command: 'eval "$(svc completion bash)"', does: 'Load it from ~/.bashrc' },
    { command: 'eval "$(svc completion zsh)"', does: 'Load it from ~/.zshrc, after compinit' },
    {
      command: 'svc completion fish > ~/.config/fish/completions/svc.fish',
      does: 'Keep it where fish looks for it',
    },
  ],
  load: () => import('../completion/completion.ts'),
};
