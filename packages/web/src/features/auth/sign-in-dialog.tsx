/**
 * When the session ends while a page is in use, a dialog lets the same user sign in again, so that no input is lost.
 * Then the denied call is repeated.
 */
import type { User } from '@svc/contract';
import { useEffect, useState } from 'react';
import { onSessionEnded } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { askNow, type Question } from './question.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useUser } from './session.ts';

export function SignInDialog() {
  const user = useUser();
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    let present: Question | null = null;
    let isDeclined = false;
    onSessionEnded(async (cause) => {
      // Nobody was signed in, or the user closed the dialog; then only a new action opens it again.
      if (!user || (isDeclined && cause === 'reading')) return false;
      if (!present) {
        present = askNow();
        setQuestion(present);
      }
      const isBack = await present.answer;
      isDeclined = !isBack;
      present = null;
      return isBack;
    });
  }, [user]);

  function end(isBack: boolean) {
    question?.settle(isBack);
    setQuestion(null);
  }
  function goOn(present: User) {
    // The email is the same, but the account may be a new one to which the page does not belong.
    if (present.userId !== user?.userId) location.reload();
    else end(true);
  }
  return (
    <Dialog isOpen={question !== null} onClose={() => end(false)} title="Sign in to continue">
      <p>Your session has ended. Your entries on the page are kept.</p>
      <SignInForm {...(user && { email: user.email })} onSignedIn={goOn} />
    </Dialog>
  );
}
