/** Shows a recovery code once. The user confirms that it is saved before continuing. */
import { useBlocker } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Checkbox } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';

export interface RecoveryCodeProps {
  readonly code: string;
  readonly email: string;
  /** Runs when the user continues, after confirming that the code is saved. */
  readonly onKept: () => void;
  /** True until it is known how the user continues. */
  readonly isBusy?: boolean;
  /** Why the user must sign in to continue. */
  readonly problem?: string | undefined;
}

export function RecoveryCode({ code, email, onKept, isBusy = false, problem }: RecoveryCodeProps) {
  const id = useId();
  const [isKept, setIsKept] = useState(false);
  // The code can’t be shown again.
  useBlocker({
    shouldBlockFn: () => !confirm('Leave without saving the recovery code? It is not shown again.'),
    enableBeforeUnload: true,
    disabled: isKept,
  });
  return (
    <div className="flex flex-col gap-4">
      <p className="print:hidden">
        If you lose your password, this code lets you set a new one. The service never sends email, so there
        is no other way to recover your account. The code is shown once.
      </p>
      <div className="rounded bg-sunken p-4 text-center">
        <p role="group" aria-label="Recovery code" className="font-mono text-lead font-strong">
          {code}
        </p>
        <p className="mt-1 text-small text-quiet">
          {email} at {location.host}
        </p>
      </div>
      <div className="flex flex-wrap gap-2 print:hidden">
        <CopyButton text={code} label="Copy recovery code" />
        <Button onClick={() => save(code, email)}>Download</Button>
        <Button onClick={() => print()}>Print</Button>
      </div>
      <div className="flex flex-col gap-4 border-t border-line pt-4 print:hidden">
        {problem === undefined ? null : (
          <Notice tone="danger" title="You are not signed in">
            <p>{problem}</p>
          </Notice>
        )}
        <Checkbox
          label="I have saved the recovery code"
          checked={isKept}
          onChange={(event) => setIsKept(event.currentTarget.checked)}
        />
        <Button look="primary" disabled={!isKept} busy={isBusy} aria-describedby={id} onClick={onKept}>
          {problem === undefined ? 'Continue' : 'Sign in'}
        </Button>
        <p id={id} className="-mt-2 text-small text-quiet">
          {isKept ? '' : 'Select the checkbox above to continue.'}
        </p>
      </div>
    </div>
  );
}

function save(code: string, email: string): void {
  const text = `Recovery code for ${email} at ${location.origin}\n\n${code}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'svc-recovery-code.txt';
  link.click();
  URL.revokeObjectURL(address);
}
