/** An inline message: what happened and what to do. */
import type { ReactNode } from 'react';

const tones = {
  danger: { box: 'bg-danger-soft', role: 'alert' },
  warn: { box: 'bg-warn-soft', role: undefined },
  good: { box: 'bg-good-soft', role: 'status' },
  plain: { box: 'bg-sunken', role: undefined },
} as const;

export interface NoticeProps {
  readonly tone?: keyof typeof tones;
  readonly title?: string;
  readonly children?: ReactNode;
}

export function Notice({ tone = 'plain', title, children }: NoticeProps) {
  const { box, role } = tones[tone];
  return (
    <div role={role} className={`rounded px-3 py-2 ${box}`}>
      {title === undefined ? null : <p className="font-strong">{title}</p>}
      {children}
    </div>
  );
}
