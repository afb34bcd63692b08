/** The completion script for zsh, which shows a description of each word. */
import { quoted } from './quoted.ts';
import type { CompletionContext, ValueCompletion } from './tree.ts';

export function zshScript(places: readonly CompletionContext[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const options = places.flatMap(({ path, options: all }) =>
    all.flatMap(({ flags, value, isVariadic }) =>
      value === undefined
        ? []
        : [{ pattern: flags.map((flag) => quoted(`${path}|${flag}`)).join('|'), value, isVariadic }],
    ),
  );
  const taking = (isVariadic: boolean) =>
    [
      'never',
      ...options.filter((option) => option.isVariadic === isVariadic).map(({ pattern }) => pattern),
    ].join('|');
  const values = options.map(({ pattern, value }) => `    (${pattern}) ${offering(value)}; return ;;`);
  const described = (entries: readonly (readonly [word: string, summary: string])[]) =>
    entries.map(([word, summary]) => quoted(`${word.replaceAll(':', '\\:')}:${summary}`)).join(' ');
  const optionsOf = places.map(({ path, options: all }) => {
    const entries = all.flatMap(({ flags, summary }) => flags.map((flag) => [flag, summary] as const));
    return `      (${quoted(path)}) found=(${described(entries)}) ;;`;
  });
  const wordsOf = places
    .filter(({ words }) => words.length > 0)
    .map(
      ({ path, words }) =>
        `    (${quoted(`${path}|0`)}) found=(${described(words.map(({ word, summary }) => [word, summary]))}); _describe 'svc' found ;;`,
    );
  const argumentsOf = places.flatMap(({ path, arguments: taken }) =>
    taken.map((argument, index) => `    (${quoted(`${path}|${index}`)}) ${offering(argument)} ;;`),
  );
  return `#compdef svc
# Completion of svc for zsh. Load it from ~/.zshrc, after compinit:  eval "$(svc completion zsh)"
_svc_asked() {
  local line
  local -a found
  for line in "\${(@f)$(command svc __complete $1 -- "\${(@)words[2,-1]}" 2>/dev/null)}"; do
    if [[ -n $line ]]; then found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}"); fi
  done
  _describe $1 found
}
_svc_list() {
  compset -P '*,'
  "$@"
}
_svc() {
  local current=\${words[CURRENT]} place='' option='' word n=0
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case "$place|$option" in
      (${taking(true)}) if [[ $word != -* ]]; then continue; fi ;;
      (${taking(false)}) option=''; continue ;;
    esac
    option=''
    if [[ $word == -* ]]; then option=$word; continue; fi
    case "\${place:+$place }$word" in
      (${known.join('|')}) place="\${place:+$place }$word" n=0 ;;
      (*) n=$((n + 1)) ;;
    esac
  done
  if [[ $current == --*=* ]]; then
    option=\${current%%=*} current=\${current#*=}
    compset -P '*='
  elif [[ $current == -* ]]; then
    case "$place|$option" in
      (${taking(true)}) option='' ;;
    esac
  fi
  case "$place|$option" in
${values.join('\n')}
  esac
  if [[ $current == -* ]]; then
    case "$place" in
${optionsOf.join('\n')}
    esac
    _describe 'svc' found
    return
  fi
  case "$place|$n" in
${wordsOf.join('\n')}
  esac
  case "$place|$n" in
${argumentsOf.join('\n')}
  esac
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then _svc "$@"; else compdef _svc svc; fi
`;
}

function offering({ choices, kind, isList }: ValueCompletion): string {
  const list = isList ? '_svc_list ' : '';
  if (choices.length > 0) return `${list}compadd -- ${choices.map(quoted).join(' ')}`;
  switch (kind) {
    case undefined:
      return ':';
    case 'files':
      return `${list}_files`;
    case 'reports or files':
      return '_svc_asked reports; _files';
    default:
      return `_svc_asked ${kind}`;
  }
}
