/** The introduction for visitors without an account. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { offersSignUp } from '../../lib/sign-up-policy.ts';
import { buttonLook } from '../../ui/button.tsx';

const facts = [
  {
    title: 'Scan on your own machine',
    text: 'The CLI scans your repository and imports the results of your scanners and agents. The repository never leaves your machine: only the report is uploaded, and secrets are redacted first.',
  },
  {
    title: 'Read what matters first',
    text: 'The verdict comes first, then findings by severity with evidence, remediation and a verification plan. While a scan runs, its page updates automatically.',
  },
  {
    title: 'Share only what you choose',
    text: 'A share link shows a customer, an auditor or a contractor exactly what you chose, for as long as you chose. Hidden content is not in the page, the exports or the counts.',
  },
];

/** @param children a preview, shown beside the introduction or under it. */
export function Welcome({ children }: { readonly children: ReactNode }) {
  return (
    <div className="flex flex-col gap-12">
      <div className="grid items-start gap-x-16 gap-y-8 lg:grid-cols-2">
        <div className="flex max-w-2xl flex-col gap-6">
          <p className="text-lead">
            svc stores security reports, tracks findings until they are fixed, and shows each person only what
            you allow.
          </p>
          <div className="flex flex-wrap gap-3">
            {offersSignUp() ? (
              <Link to="/signup" className={buttonLook('primary')}>
                Create account
              </Link>
            ) : (
              <Link to="/login" className={buttonLook('primary')}>
                Sign in
              </Link>
            )}
            <Link to="/sample" className={buttonLook('plain')}>
              View sample report
            </Link>
            <Link to="/install" className={buttonLook('quiet')}>
              Install the CLI
            </Link>
          </div>
        </div>
        {children}
      </div>
      <ul className="grid gap-8 md:grid-cols-3">
        {facts.map(({ title, text }) => (
          <li key={title} className="flex flex-col gap-1 border-t border-line pt-3">
            <h2 className="font-strong">{title}</h2>
            <p className="text-quiet">{text}</p>
          </li>
        ))}
      </ul>
    </div>
  );
}
