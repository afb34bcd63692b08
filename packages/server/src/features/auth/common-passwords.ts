/** The list of common passwords, loaded when the first password is chosen: it is a second of nobody's start. */
import { limits } from '@svc/contract';

let loading: Promise<ReadonlySet<string>> | undefined;

/** Lower-cased, without those that are too short to be chosen anyway. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  // A CommonJS package: the bundle gives it no names of its own, only the default.
  loading ??= import('@zxcvbn-ts/language-common').then(({ default: { dictionary } }) => {
    const long = dictionary['passwords-common'].filter(
      (password) => password.length >= limits.passwordLengthMin,
    );
    return new Set(long.map((password) => password.toLowerCase()));
  });
  return loading;
}
