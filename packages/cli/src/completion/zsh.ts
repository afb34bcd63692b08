/** The script for zsh, which shows what each word does. */
import { quoted } from './quoted.ts';
import type { Place } from './tree.ts';

export function zshScript(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const values = places.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const pattern = flags.map((flag) => quoted(`${path}|${flag}`)).join('|');
        const action = choices.length === 0 ? '_files' : `compadd -- ${choices.map(quoted).join(' ')}`;
        return `    (${pattern}) ${action}; return ;;`;
      }),
  );
  const described = (entries: readonly (readonly [word: string, summary: string])[]) =>
    entries.map(([word, summary]) => quoted(`${word.replaceAll(':', '\\:')}:${summary}`)).join(' ');
  const optionsOf = places.map(({ path, options }) => {
    const entries = options.flatMap(({ flags, summary }) => flags.map((flag) => [flag, summary] as const));
    return `      (${quoted(path)}) found=(${described(entries)}) ;;`;
  });
  const wordsOf = places
    .filter(({ words }) => words.length > 0)
    .map(
      ({ path, words }) =>
        `      (${quoted(path)}) found=(${described(words.map(({ word, summary }) => [word, summary]))}) ;;`,
    );
  return `#compdef svc
# Completion of svc for zsh. Load it from ~/.zshrc, after compinit:  eval "$(svc completion zsh)"
_svc() {
  local current=\${words[CURRENT]} before=\${words[CURRENT-1]} place='' word
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "\${place:+$place }$word" in
      (${known.join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place|$before" in
${values.join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$place" in
${optionsOf.join('\n')}
    esac
  else
    case "$place" in
${wordsOf.join('\n')}
      (*) _files; return ;;
    esac
  fi
  _describe 'svc' found
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}
