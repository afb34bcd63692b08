/** The list of common passwords. It is loaded when the first password is chosen, because loading takes a second. */
import { limits } from '@svc/contract';

let loading: Promise<ReadonlySet<string>> | undefined;

/** The passwords in lower case, without those below the minimum length. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  // A CommonJS package: in the bundle it has only a default export.
  loading ??= import('@zxcvbn-ts/language-common').then(({ default: { dictionary } }) => {
    const long = dictionary['passwords-common'].filter(
      (password) => password.length >= limits.passwordLengthMin,
    );
    return new Set(long.map((password) => password.toLowerCase()));
  });
  return loading;
}
