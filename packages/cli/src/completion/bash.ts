/** The script for bash. It needs nothing but bash 3, which a Mac still has. */
import type { Place } from './tree.ts';

export function bashScript(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const values = places.flatMap(({ path, options }) =>
    options
      .filter(({ takesValue }) => takesValue)
      .map(({ flags, choices }) => {
        const pattern = flags.map((flag) => `'${path}|${flag}'`).join(' | ');
        return `    ${pattern}) ${reply(choices)}; return ;;`;
      }),
  );
  const optionsOf = places.map(
    ({ path, options }) => `      '${path}') words='${options.flatMap(({ flags }) => flags).join(' ')}' ;;`,
  );
  const wordsOf = places
    .filter(({ words }) => words.length > 0)
    .map(({ path, words }) => `      '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`);
  return `# Completion of svc for bash. Load it from ~/.bashrc:  eval "$(svc completion bash)"
_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} path='' words='' word i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    case "\${path:+$path }$word" in
      ${known.join(' | ')}) path="\${path:+$path }$word" ;;
    esac
  done
  case "$path|$before" in
${values.join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$path" in
${optionsOf.join('\n')}
    esac
  else
    case "$path" in
${wordsOf.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _svc svc
`;
}

/** Nothing where it can be anything: bash goes on with the names of files then. */
function reply(choices: readonly string[]): string {
  return choices.length === 0
    ? 'COMPREPLY=()'
    : `COMPREPLY=($(compgen -W '${choices.join(' ')}' -- "$current"))`;
}
