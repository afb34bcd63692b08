/** Creating an account, where the service's sign-up policy allows it; then its recovery code, which is shown this once. */
import { limits } from '@svc/contract/limits';
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { KeepCodePage } from '../features/auth/keep-code-page.tsx';
import { NewPasswordField } from '../features/auth/new-password-field.tsx';
import { OtherWaysIn } from '../features/auth/other-ways-in.tsx';
import { ask, isRefusal, type BodyFor } from '../lib/api.ts';
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
  if (made) return <KeepCodePage {...made} next={next} />;
  if (!isSetup && !offersSignUp(next)) return <NoSignUp next={next} />;
  return (
    <Page key="form" title={isSetup ? "Make the administrator's account" : 'Make an account'} width="narrow">
      {isSetup ? (
        <p>
          Sign up with the administrator&rsquo;s email address and the setup token. The operator of this
          service has both.
        </p>
      ) : null}
      <Form
        onSend={signUp}
        wordsFor={isSetup ? setupWordsFor : wordsFor}
        label={isSetup ? "Make the administrator's account" : 'Make an account'}
      >
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          required
          hint="You sign in with it. No email is ever sent to it."
        />
        <TextField
          label="Name (optional)"
          name="displayName"
          autoComplete="name"
          maxLength={limits.displayNameLengthMax}
          hint="What other members of your workspaces see."
        />
        <NewPasswordField label="Password" name="password" />
        {isSetup ? (
          <PasswordField
            label="Setup token"
            name="setupToken"
            autoComplete="off"
            required
            hint="In the file that the service names in its log when it starts. It works once."
          />
        ) : null}
        <SubmitButton>Make the account</SubmitButton>
      </Form>
      <OtherWaysIn except="signup" next={next} />
    </Page>
  );
}

function NoSignUp({ next }: { readonly next: string | undefined }) {
  return (
    <Page key="none" title="Sign-up is not open" width="narrow">
      <p>
        {signUpPolicy() === 'invited'
          ? 'You need an invitation to make an account here. Open the invitation link that you were given, and sign up from there.'
          : 'This service does not take new accounts. Ask its operator.'}
      </p>
      <OtherWaysIn except="signup" next={next} />
    </Page>
  );
}

function wordsFor(error: unknown): string | undefined {
  if (isRefusal(error, 'CONFLICT'))
    return 'There is an account of this email already. Sign in instead, or use its recovery code.';
  return isRefusal(error, 'FORBIDDEN') && signUpPolicy() === 'invited'
    ? 'This invitation is not open any more. Ask for a new one.'
    : undefined;
}

/** The service doesn't say which of the two it was. */
function setupWordsFor(error: unknown): string | undefined {
  return isRefusal(error, 'CONFLICT', 'FORBIDDEN')
    ? 'The email or the setup token is wrong, or the email has an account already.'
    : undefined;
}
