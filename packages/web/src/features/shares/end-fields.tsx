/** Fields for the expiry and the password of a share link. */
import { limits } from '@svc/contract/limits';
import { Checkbox, PasswordField, TextField } from '../../ui/field.tsx';
import { useNow } from '../../ui/time.tsx';
import { newLinkPassword } from './link-password.ts';
import { fieldOfTime, newDraft, type LinkDraft } from './draft.ts';

export interface EndFieldsProps {
  readonly draft: LinkDraft;
  readonly onChange: (changes: Partial<LinkDraft>) => void;
}

export function EndFields({ draft, onChange }: EndFieldsProps) {
  const { expiresAt, password } = draft;
  const now = useNow();
  return (
    <>
      <fieldset className="flex flex-col gap-1">
        <legend className="sr-only">Expiry</legend>
        {expiresAt === '' ? null : (
          <TextField
            label="Expires at"
            name="expiresAt"
            type="datetime-local"
            value={expiresAt}
            min={fieldOfTime(now)}
            onChange={({ currentTarget }) => {
              if (currentTarget.value !== '') onChange({ expiresAt: currentTarget.value });
            }}
          />
        )}
        <Checkbox
          label="Expires with the report"
          checked={expiresAt === ''}
          onChange={({ currentTarget }) =>
            onChange({ expiresAt: currentTarget.checked ? '' : newDraft(new Date()).expiresAt })
          }
        />
      </fieldset>
      <div className="flex flex-col gap-1">
        <Checkbox
          label="Require a password"
          checked={password.kind !== 'none'}
          onChange={({ currentTarget }) =>
            onChange({
              password: currentTarget.checked ? { kind: 'new', text: newLinkPassword() } : { kind: 'none' },
            })
          }
        />
        {password.kind === 'kept' ? (
          <Checkbox
            label="Set a new password"
            checked={false}
            onChange={() => onChange({ password: { kind: 'new', text: newLinkPassword() } })}
          />
        ) : null}
        {password.kind === 'new' ? (
          <PasswordField
            label="Link password"
            name="password"
            autoComplete="new-password"
            value={password.text}
            onChange={({ currentTarget }) =>
              onChange({ password: { kind: 'new', text: currentTarget.value } })
            }
            hint={`Generated at random; you can change it. At least ${limits.share.passwordLengthMin} characters. Send it separately from the link.`}
          />
        ) : null}
      </div>
    </>
  );
}
