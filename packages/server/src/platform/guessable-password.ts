/**
 * Estimates with zxcvbn how easily a password is guessed. Loading its dictionaries takes tens of MiB, and rating a
 * hostile password a large part of a second. So only password-strength-worker.ts imports this file.
 */
export interface PasswordToJudge {
  readonly password: string;
  /** What an attacker knows about the person: the parts of their name and address. */
  readonly personal: readonly string[];
}

export interface PasswordVerdict {
  readonly isGuessable: boolean;
  /** One sentence on why, or null when there is nothing specific to say. */
  readonly reason: string | null;
}

/** Characters after this many do not make a weak password strong, and would only take time. */
const CHARACTERS_JUDGED = 100;
const GUESSES_MIN = 1e6;
/** More substitutions find no further weakness, and take seconds for a hostile password. */
const SUBSTITUTIONS_MAX = 5;

// CommonJS packages: in the bundle they have only a default export.
const { default: core } = await import('@zxcvbn-ts/core');
const { default: common } = await import('@zxcvbn-ts/language-common');
const { default: english } = await import('@zxcvbn-ts/language-en');

const zxcvbn = new core.ZxcvbnFactory({
  dictionary: { ...common.dictionary, ...english.dictionary },
  graphs: common.adjacencyGraphs,
  translations: english.translations,
  l33tMaxSubstitutions: SUBSTITUTIONS_MAX,
});

export function judgePassword({ password, personal }: PasswordToJudge): PasswordVerdict {
  const judged = [...password.normalize('NFC')].slice(0, CHARACTERS_JUDGED).join('');
  const { guesses, feedback } = zxcvbn.check(judged, [...personal]);
  if (guesses >= GUESSES_MIN) return { isGuessable: false, reason: null };
  const isPersonal = feedback.warning === english.translations.warnings.userInputs;
  return {
    isGuessable: true,
    reason: isPersonal ? 'Names and parts of your address are easy to guess.' : (feedback.warning ?? null),
  };
}
