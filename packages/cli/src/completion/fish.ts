/** The script for fish, which shows what each word does. */
import type { Place } from './tree.ts';

export function fishScript(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  const lines = places.flatMap(({ path, words, options }) => {
    const here = `complete -c svc -n ${quoted(`__svc_at ${quoted(path)}`)}`;
    const takesFiles =
      path !== '' && words.length === 0 && !places.some((other) => other.path.startsWith(`${path} `));
    return [
      ...(takesFiles ? [] : [`${here} -f`]),
      ...words.map(({ word, summary }) => `${here} -a ${quoted(word)} -d ${quoted(summary)}`),
      ...options.map(({ flags, summary, takesValue, choices }) =>
        [
          here,
          ...flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)),
          ...(takesValue ? ['-r'] : []),
          ...(choices.length > 0 ? [`-f -a ${quoted(choices.join(' '))}`] : []),
          `-d ${quoted(summary)}`,
        ].join(' '),
      ),
    ];
  });
  return `# Completion of svc for fish:  svc completion fish > ~/.config/fish/completions/svc.fish
function __svc_at
    set -l place ''
    for word in (commandline -opc)[2..-1]
        set -l longer (string trim -- "$place $word")
        if contains -- $longer ${known.join(' ')}
            set place $longer
        end
    end
    test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}

/** A text as one word of fish, where the backslash escapes within quotes too. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`)}'`;
}
