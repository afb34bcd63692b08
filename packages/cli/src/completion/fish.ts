/** The completion script for fish, which shows a description of each word. */
import type { CompletedOption, CompletionContext, ValueCompletion } from './tree.ts';

export function fishScript(places: readonly CompletionContext[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const lines = places.flatMap(({ path, words, arguments: taken, options }) => {
    const at = (count: number) => `complete -c svc -n ${quoted(`__svc_at ${quoted(path)} ${count}`)} -f`;
    const here = `complete -c svc -n ${quoted(`__svc_at ${quoted(path)}`)}`;
    return [
      `${here} -f`,
      ...words.map(({ word, summary }) => `${at(0)} -a ${quoted(word)} -d ${quoted(summary)}`),
      ...taken.flatMap((argument, index) =>
        offered(argument).map((offer) => `${at(index)} ${offer} -d ${quoted(argument.summary)}`),
      ),
      ...options.map((option) =>
        [here, '-f', ...flagsOf(option), ...valueOf(option), `-d ${quoted(option.summary)}`].join(' '),
      ),
      // Fish treats the words after an option's first value as arguments.
      ...options.flatMap(({ flags, value, isVariadic, summary }) => {
        if (value === undefined || !isVariadic) return [];
        const more = `__svc_more ${[path, ...flags].map(quoted).join(' ')}`;
        return offered(value).map(
          (offer) => `complete -c svc -n ${quoted(more)} -f ${offer} -d ${quoted(summary)}`,
        );
      }),
    ];
  });
  const taking = (isVariadic: boolean) =>
    places.flatMap(({ path, options }) =>
      options
        .filter((option) => option.value !== undefined && option.isVariadic === isVariadic)
        .flatMap(({ flags }) => flags.map((flag) => quoted(`${path}|${flag}`))),
    );
  return `# Completion of svc for fish:  svc completion fish > ~/.config/fish/completions/svc.fish
function __svc_state
    # The typed command or group, the number of its arguments so far, and the option that still takes words.
    set -l place ''
    set -l option ''
    set -l count 0
    for word in (commandline -opc)[2..-1]
        if contains -- "$place|$option" ${taking(true).join(' ')}
            string match -q -- '-*' $word; or continue
        else if contains -- "$place|$option" ${taking(false).join(' ')}
            set option ''
            continue
        end
        set option ''
        if string match -q -- '-*' $word
            set option $word
            continue
        end
        set -l longer (string trim -- "$place $word")
        if contains -- $longer ${known.join(' ')}
            set place $longer
            set count 0
        else
            set count (math $count + 1)
        end
    end
    contains -- "$place|$option" ${taking(true).join(' ')}; or set option ''
    printf '%s\n' "$place" $count "$option"
end
function __svc_at
    set -l state (__svc_state)
    test "$state[1]" = "$argv[1]"; or return 1
    test (count $argv) -eq 1; and return
    test $state[2] -eq $argv[2]; and test -z "$state[3]"
end
function __svc_more
    set -l state (__svc_state)
    test "$state[1]" = "$argv[1]"; and contains -- "$state[3]" $argv[2..-1]
end
function __svc_asked
    command svc __complete $argv[1] -- (commandline -opc)[2..-1] 2>/dev/null
end
function __svc_list
    set -l before (string match -r -- '^.*,' (commandline -ct | string replace -r -- '^--[^=]*=' ''))
    for word in $argv
        printf '%s\\n' "$before$word"
    end
end
function __svc_files
    set -l word (commandline -ct | string replace -r -- '^--[^=]*=' '')
    set -l before (string match -r -- '^.*,' $word)
    for file in (__fish_complete_path (string replace -r -- '^.*,' '' $word))
        printf '%s\\n' "$before$file"
    end
end
${lines.join('\n')}
`;
}

function flagsOf({ flags }: CompletedOption): string[] {
  return flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`));
}

function valueOf({ value }: CompletedOption): string[] {
  return value === undefined ? [] : ['-r', ...offered(value)];
}

function offered({ choices, kind, isList }: ValueCompletion): string[] {
  if (choices.length > 0)
    return [`-a ${quoted(isList ? `(__svc_list ${choices.join(' ')})` : choices.join(' '))}`];
  switch (kind) {
    case undefined:
      return [];
    case 'files':
      return ["-a '(__svc_files)'"];
    case 'reports or files':
      return ["-a '(__svc_asked reports; __svc_files)'"];
    default:
      return [`-a '(__svc_asked ${kind})'`];
  }
}

/** A string quoted as one word for fish, where a backslash also escapes within quotes. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
