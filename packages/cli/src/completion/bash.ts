/** The completion script for bash. It works with bash 3, which macOS still has. */
import type { CompletionContext, ValueCompletion } from './tree.ts';

export function bashScript(places: readonly CompletionContext[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => `'${path}'`);
  const options = places.flatMap(({ path, options: all }) =>
    all.flatMap(({ flags, value, isVariadic }) =>
      value === undefined
        ? []
        : [{ pattern: flags.map((flag) => `'${path}|${flag}'`).join(' | '), value, isVariadic }],
    ),
  );
  const taking = (isVariadic: boolean) =>
    [
      'never',
      ...options.filter((option) => option.isVariadic === isVariadic).map(({ pattern }) => pattern),
    ].join(' | ');
  const values = options.map(({ pattern, value }) => `    ${pattern}) ${offering(value)}; return ;;`);
  const optionsOf = places.map(
    ({ path, options: all }) => `      '${path}') words='${all.flatMap(({ flags }) => flags).join(' ')}' ;;`,
  );
  const wordsOf = places
    .filter(({ words }) => words.length > 0)
    .map(({ path, words }) => `    '${path}|0') _svc_words '${words.map(({ word }) => word).join(' ')}' ;;`);
  const argumentsOf = places.flatMap(({ path, arguments: taken }) =>
    taken.map((argument, index) => `    '${path}|${index}') ${offering(argument)}; return ;;`),
  );
  return `# Completion of svc for bash. Load it from ~/.bashrc:  eval "$(svc completion bash)"
_svc_words() {
  COMPREPLY+=($(compgen -W "$1" -- "$current"))
}
_svc_asked() {
  _svc_words "$(command svc __complete "$1" -- "\${COMP_WORDS[@]:1}" 2>/dev/null | cut -f1)"
}
_svc_files() {
  # Without compopt, offer nothing: the shell's own completion of file names handles spaces.
  type compopt &>/dev/null || return
  compopt -o filenames 2>/dev/null
  local IFS=$'\\n'
  COMPREPLY+=($(compgen -f -- "$current"))
}
_svc_nothing() {
  compopt +o default 2>/dev/null
}
_svc_list() {
  local before=''
  if [[ $current == *,* ]]; then before=\${current%,*}, current=\${current##*,}; fi
  "$@"
  compopt -o nospace 2>/dev/null
  if [[ -n $before ]]; then COMPREPLY=("\${COMPREPLY[@]/#/$before}"); fi
}
_svc() {
  local current=\${COMP_WORDS[COMP_CWORD]} path='' words='' option='' word i n=0
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    if [[ $word == '=' ]]; then continue; fi
    case "$path|$option" in
      ${taking(true)}) if [[ $word != -* ]]; then continue; fi ;;
      ${taking(false)}) option=''; continue ;;
    esac
    option=''
    if [[ $word == -* ]]; then option=$word; continue; fi
    case "\${path:+$path }$word" in
      ${known.join(' | ')}) path="\${path:+$path }$word" n=0 ;;
      *) n=$((n + 1)) ;;
    esac
  done
  if [[ $current == '=' ]]; then current=''; fi
  case "$path|$option" in
    ${taking(true)}) if [[ $current == -* ]]; then option=''; fi ;;
  esac
  case "$path|$option" in
${values.join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$path" in
${optionsOf.join('\n')}
    esac
    _svc_words "$words"
    return
  fi
  case "$path|$n" in
${wordsOf.join('\n')}
  esac
  case "$path|$n" in
${argumentsOf.join('\n')}
  esac
  if [[ \${#COMPREPLY[@]} -eq 0 ]]; then _svc_nothing; fi
}
complete -o default -F _svc svc
`;
}

function offering({ choices, kind, isList }: ValueCompletion): string {
  const list = isList ? '_svc_list ' : '';
  if (choices.length > 0) return `${list}_svc_words '${choices.join(' ')}'`;
  switch (kind) {
    case undefined:
      return '_svc_nothing';
    case 'files':
      return `${list}_svc_files`;
    case 'reports or files':
      return '_svc_asked reports; _svc_files';
    default:
      return `_svc_asked ${kind}; _svc_nothing`;
  }
}
