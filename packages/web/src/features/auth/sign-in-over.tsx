/**
 * When the session ends while a page is in use, the same person signs in again over the page: what was typed is still
 * there, and the call that was refused is sent again.
 */
import type { User } from '@svc/contract';
import { useEffect, useState } from 'react';
import { onSessionEnded } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { askNow, type Question } from './question.ts';
import { SignInForm } from './sign-in-form.tsx';
import { useUser } from './session.ts';

export function SignInOver() {
  const user = useUser();
  const [lapse, setLapse] = useState<Question | null>(null);
  useEffect(() => {
    let present: Question | null = null;
    let isDeclined = false;
    onSessionEnded(async (cause) => {
      // Nobody was signed in; or they said no, and only something new that they do is a reason to ask again.
      if (!user || (isDeclined && cause === 'reading')) return false;
      if (!present) {
        present = askNow();
        setLapse(present);
      }
      const isBack = await present.answer;
      isDeclined = !isBack;
      present = null;
      return isBack;
    });
  }, [user]);

  function end(isBack: boolean) {
    lapse?.settle(isBack);
    setLapse(null);
  }
  function goOn(present: User) {
    // The address is the same; the account may have been made anew, and nothing on the page is theirs.
    if (present.userId !== user?.userId) location.reload();
    else end(true);
  }
  return (
    <Dialog isOpen={lapse !== null} onClose={() => end(false)} title="Sign in to go on">
      <p>Your session has ended. What you typed is still here.</p>
      <SignInForm {...(user && { email: user.email })} onSignedIn={goOn} />
    </Dialog>
  );
}
