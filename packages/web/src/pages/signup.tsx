/** Creates an account, if the sign-up policy allows it, then shows its recovery code once. */
import { limits } from '@svc/contract/limits';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { SaveCodePage } from '../features/auth/save-code-page.tsx';
import { NewPasswordField } from '../features/auth/new-password-field.tsx';
import { OtherWaysIn } from '../features/auth/other-ways-in.tsx';
import { ask, isApiError, type BodyFor } from '../lib/api.ts';
import { invitationIn, offersSignUp, signUpPolicy } from '../lib/sign-up-policy.ts';
import { PasswordField, TextField } from '../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';

export function SignUpPage() {
  const { next, setup } = useSearch({ from: '/signup' });
  const [made, setMade] = useState<BodyFor<'signUp'> | null>(null);
  const isSetup = setup !== undefined;
  async function signUp({ email = '', password = '', displayName = '', setupToken = '' }: Fields) {
    const name = displayName.trim();
    const invitation = invitationIn(next);
    setMade(
      await ask('signUp', {
        body: {
          email,
          password,
          ...(name === '' ? {} : { displayName: name }),
          ...(setupToken === '' ? {} : { setupToken }),
          ...(invitation === undefined ? {} : { invitation }),
        },
      }),
    );
  }
  if (made) return <SaveCodePage {...made} next={next} />;
  if (!isSetup && !offersSignUp(next)) return <NoSignUp next={next} />;
  return (
    <Page key="form" title={isSetup ? 'Create administrator account' : 'Create account'} width="narrow">
      {isSetup ? (
        <p>
          Sign up with the administrator&rsquo;s email address and the setup token. The operator of this
          service has both.
        </p>
      ) : null}
      <Form
        onSend={signUp}
        messageFor={isSetup ? setupMessageFor : messageFor}
        label={isSetup ? 'Create administrator account' : 'Create account'}
      >
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          hint="You sign in with it. This service never sends email."
        />
        <TextField
          label="Name (optional)"
          name="displayName"
          autoComplete="name"
          maxLength={limits.displayNameLengthMax}
          hint="Shown to other members of your workspaces."
        />
        <NewPasswordField label="Password" name="password" />
        {isSetup ? (
          <PasswordField
            label="Setup token"
            name="setupToken"
            autoComplete="off"
            required
            hint="The server log names the file that contains the token. The token works once."
          />
        ) : null}
        <SubmitButton>Create account</SubmitButton>
      </Form>
      <OtherWaysIn except="signup" next={next} />
    </Page>
  );
}

function NoSignUp({ next }: { readonly next: string | undefined }) {
  return (
    <Page key="none" title="Sign-up is closed" width="narrow">
      <p>
        {signUpPolicy() === 'invited'
          ? 'You need an invitation to create an account here. Open your invitation link and sign up from there.'
          : 'This service does not accept new accounts. Ask its operator for access.'}
      </p>
      <OtherWaysIn except="signup" next={next} />
    </Page>
  );
}

function messageFor(error: unknown): string | undefined {
  if (isApiError(error, 'CONFLICT'))
    return 'An account with this email already exists. Sign in, or use its recovery code.';
  return isApiError(error, 'FORBIDDEN') && signUpPolicy() === 'invited'
    ? 'This invitation is no longer valid. Ask for a new one.'
    : undefined;
}

/** The service does not reveal whether the email or the setup token was wrong. */
function setupMessageFor(error: unknown): string | undefined {
  return isApiError(error, 'CONFLICT', 'FORBIDDEN')
    ? 'Wrong email or setup token, or the account already exists. Check both and try again.'
    : undefined;
}
