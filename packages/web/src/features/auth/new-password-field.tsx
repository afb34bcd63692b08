/** A field for a new password, with its requirements. */
import { limits } from '@svc/contract/limits';
import { PasswordField } from '../../ui/field.tsx';

export function NewPasswordField({ label, name }: { readonly label: string; readonly name: string }) {
  return (
    <PasswordField
      label={label}
      name={name}
      autoComplete="new-password"
      required
      hint={`At least ${limits.passwordLengthMin} characters, such as a few words.`}
    />
  );
}
