/** The one time a recovery code is seen. Whoever goes on says that they have kept it. */
import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy.tsx';
import { Checkbox } from '../../ui/field.tsx';

export interface RecoveryCodeProps {
  readonly code: string;
  readonly email: string;
  readonly onKept: () => void;
}

export function RecoveryCode({ code, email, onKept }: RecoveryCodeProps) {
  const [isKept, setIsKept] = useState(false);
  return (
    <div className="flex flex-col gap-4">
      <p>
        It is the one way back into your account when the password is lost, since no email is ever sent. It is
        shown this once.
      </p>
      <p className="rounded bg-sunken p-4 text-center font-mono text-lead font-strong">{code}</p>
      <div className="flex flex-wrap gap-2 print:hidden">
        <CopyButton text={code} label="Copy recovery code" />
        <Button onClick={() => save(code, email)}>Download</Button>
        <Button onClick={() => print()}>Print</Button>
      </div>
      <div className="print:hidden">
        <Checkbox
          label="I have kept the code where I will find it"
          checked={isKept}
          onChange={(event) => setIsKept(event.currentTarget.checked)}
        />
      </div>
      <Button look="primary" disabled={!isKept} onClick={onKept} className="print:hidden">
        Continue
      </Button>
    </div>
  );
}

function save(code: string, email: string): void {
  const text = `Recovery code of ${email} at ${location.origin}\n\n${code}\n`;
  const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = 'svc-recovery-code.txt';
  link.click();
  URL.revokeObjectURL(address);
}
