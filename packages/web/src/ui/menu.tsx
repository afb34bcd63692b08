/**
 * A menu of actions under a button. Not modal: a modal one would insert styles that the Content-Security-Policy
 * blocks.
 */
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { buttonLook } from './button.tsx';

export interface MenuProps {
  /** The text on the button. */
  readonly label: ReactNode;
  /** A tooltip, if the label does not say what the button is for. */
  readonly title?: string;
  readonly children: ReactNode;
}

export function Menu({ label, title, children }: MenuProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger title={title} className={buttonLook('quiet')}>
        {label}
        <svg viewBox="0 0 12 12" aria-hidden="true" className="size-3 fill-none stroke-current">
          <path d="M2.5 4.5 6 8l3.5-3.5" strokeWidth="1.5" />
        </svg>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="z-20 min-w-44 rounded bg-float p-1 shadow-float"
        >
          {children}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}

export function MenuItem({
  onSelect,
  children,
}: {
  readonly onSelect: () => void;
  readonly children: ReactNode;
}) {
  return (
    <DropdownMenu.Item
      onSelect={onSelect}
      className="flex min-h-8 cursor-pointer items-center rounded px-2 py-1 outline-none data-highlighted:bg-hover"
    >
      {children}
    </DropdownMenu.Item>
  );
}
