/** Provides the style sheet of the colour tokens as `virtual:tokens.css`. */
import type { Plugin } from 'vite';
import { tokens } from '../src/ui/tokens.ts';

const NAME = 'virtual:tokens.css';

export function tokensCss(): Plugin {
  return {
    name: 'tokens-css',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      return `:root { color-scheme: light dark; ${declarations('light')} }
@media (prefers-color-scheme: dark) { :root { ${declarations('dark')} } }
@media print { :root { color-scheme: light; ${declarations('light')} } }`;
    },
  };
}

function declarations(theme: 'light' | 'dark'): string {
  return Object.entries(tokens)
    .map(([name, token]) => `--${name}: ${token[theme]};`)
    .join(' ');
}
