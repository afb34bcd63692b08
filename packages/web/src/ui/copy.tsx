/** Copy buttons that show whether copying worked. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { copyText } from '../lib/clipboard.ts';
import { Button, type ButtonProps } from './button.tsx';

const SHOWN_FOR_MS = 2000;

export interface CopyButtonProps extends Omit<ButtonProps, 'onClick' | 'children'> {
  readonly text: string;
  readonly children?: ReactNode;
  /** The accessible name, for screen readers. */
  readonly label?: string;
}

/** Shows "Copied" only after success; if the browser denies access, it shows the selected text to copy by hand. */
export function CopyButton({ text, label, children = 'Copy', ...button }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'denied'>('none');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (outcome === 'denied') field.current?.select();
    if (outcome !== 'copied') return undefined;
    const timer = setTimeout(() => setOutcome('none'), SHOWN_FOR_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  return (
    <span className="inline-flex items-center gap-2">
      <Button
        {...button}
        aria-label={outcome === 'none' ? label : undefined}
        onClick={() => void copyText(text).then((isCopied) => setOutcome(isCopied ? 'copied' : 'denied'))}
      >
        {outcome === 'copied' ? 'Copied' : children}
      </Button>
      <span role="status" className={outcome === 'denied' ? 'text-small text-quiet' : 'sr-only'}>
        {outcome === 'copied' ? 'Copied' : outcome === 'denied' ? 'Press Ctrl+C' : ''}
      </span>
      {outcome === 'denied' ? (
        <input
          ref={field}
          readOnly
          value={text}
          aria-label={label ?? 'Text to copy'}
          onBlur={() => setOutcome('none')}
          className="w-40 rounded border border-edge bg-field px-2 py-1 font-mono"
        />
      ) : null}
    </span>
  );
}

/** An inline id; a click copies it. */
export function CopyableId({ id }: { readonly id: string }) {
  return (
    <CopyButton text={id} label={`Copy ${id}`} look="inline">
      <code className="text-small">{id}</code>
    </CopyButton>
  );
}

/** A command for a terminal. */
export function Command({
  command,
  label = 'Command',
}: {
  readonly command: string;
  readonly label?: string;
}) {
  return (
    <div className="flex gap-2 rounded bg-sunken p-2 max-sm:flex-col max-sm:items-end sm:items-start">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className="grow overflow-x-auto px-1 py-1.5 max-sm:w-full sm:pointer-coarse:py-3"
      >
        <code>{command}</code>
      </pre>
      <CopyButton text={command} look="quiet" label={`Copy ${label.toLowerCase()}`} />
    </div>
  );
}
