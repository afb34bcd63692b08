/**
 * Settings under which git starts nothing that a repository names. They are environment variables, because those take
 * precedence over the repository's own configuration, and also apply to a git process that a scanner starts.
 */
const NOTHING = process.platform === 'win32' ? 'NUL' : '/dev/null';

const settings: readonly (readonly [name: string, value: string])[] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', NOTHING],
  ['core.attributesFile', NOTHING],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', 'false'],
  ['core.askPass', 'false'],
  ['core.editor', 'false'],
  ['core.pager', 'cat'],
  ['credential.helper', ''],
  ['diff.external', 'false'],
  ['gpg.program', 'false'],
  ['gpg.ssh.program', 'false'],
  ['protocol.allow', 'never'],
  ['protocol.ext.allow', 'never'],
  // A folder that only looks like the inside of a repository is not treated as one.
  ['safe.bareRepository', 'explicit'],
];

export const harmlessGit: Readonly<Record<string, string>> = {
  GIT_CONFIG_COUNT: String(settings.length),
  ...Object.fromEntries(
    settings.flatMap(([name, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, name],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ),
  // No transport is allowed, whatever the configuration of a remote says.
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_PAGER: 'cat',
  GIT_TERMINAL_PROMPT: '0',
};
