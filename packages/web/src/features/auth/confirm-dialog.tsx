/**
 * Some actions require the password again if the sign-in is some hours old. A dialog asks for it over the page, so
 * that no input is lost, and then the denied call is repeated.
 */
import { useEffect, useState } from 'react';
import { ask, onConfirmationWanted } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { OwnUsername } from '../account/own-username.tsx';
import { askNow, type Question } from './question.ts';
import { useUser } from './session.ts';

export function ConfirmDialog() {
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
    <Dialog isOpen={question !== null} onClose={() => end(false)} title="Confirm your password">
      <Form onSend={confirm} label="Confirm your password">
        <p>
          This action asks for your password again because you signed in some time ago. Your entries on the
          page are kept.
        </p>
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
