/**
 * Some actions ask for the password again when the sign-in is some hours old. It is asked for over the page: what was typed
 * is still there, and the call that was denied is sent again.
 */
import { useEffect, useState } from 'react';
import { ask, onConfirmationWanted } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { OwnUsername } from '../account/own-username.tsx';
import { askNow, type Question } from './question.ts';
import { useUser } from './session.ts';

export function ConfirmOver() {
  const user = useUser();
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    let present: Question | null = null;
    onConfirmationWanted(async () => {
      if (!present) {
        present = askNow();
        setQuestion(present);
      }
      const answer = await present.answer;
      present = null;
      return answer;
    });
  }, []);

  function end(isConfirmed: boolean) {
    question?.settle(isConfirmed);
    setQuestion(null);
  }
  async function confirm({ password = '' }: Fields) {
    await ask('confirmSession', { body: { password } });
    end(true);
  }
  return (
    <Dialog isOpen={question !== null} onClose={() => end(false)} title="Confirm with your password">
      <Form onSend={confirm} label="Confirm with your password">
        <p>You signed in some time ago. What you entered on the page is kept.</p>
        <OwnUsername email={user?.email ?? ''} />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          data-focus-first
        />
        <div>
          <SubmitButton>Confirm</SubmitButton>
        </div>
      </Form>
    </Dialog>
  );
}
