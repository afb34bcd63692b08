/** The path to a page: links to the pages above it, and the page's name or a switcher. */
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';

export interface BreadcrumbsProps {
  readonly parents: readonly { readonly label: string; readonly to: LinkProps }[];
  /** The name of the page, or a control that switches to its siblings. */
  readonly children?: ReactNode;
}

export function Breadcrumbs({ parents, children }: BreadcrumbsProps) {
  return (
    <nav aria-label="Breadcrumb" className="min-w-0 pointer-coarse:-my-3 print:hidden">
      <ol className="flex min-w-0 flex-wrap items-center gap-x-1.5 text-quiet">
        {parents.map(({ label, to }) => (
          <li key={label} className="flex min-w-0 items-center gap-x-1.5">
            <Link
              {...to}
              className="max-w-64 truncate rounded pointer-coarse:min-w-11 pointer-coarse:py-3 hover:text-text hover:underline"
            >
              {label}
            </Link>
            <span aria-hidden="true">/</span>
          </li>
        ))}
        {children === undefined ? null : <li className="min-w-0 text-text">{children}</li>}
      </ol>
    </nav>
  );
}
