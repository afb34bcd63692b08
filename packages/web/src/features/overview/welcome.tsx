/** What this is, for whoever comes without an account. */
import { Link } from '@tanstack/react-router';
import { offersSignUp } from '../../lib/sign-up-policy.ts';
import { buttonLook } from '../../ui/button.tsx';

const facts = [
  {
    title: 'Scan where the code is',
    text: 'The command line scans your repository and takes what your scanners and agents find. The repository never leaves your machine; only the report does, and secrets are taken out of it first.',
  },
  {
    title: 'Read it as it should be read',
    text: 'The verdict first, then the findings by severity with their evidence, the way to mend them and the way to prove it. While a scan runs, its page moves by itself.',
  },
  {
    title: 'Share what each reader may see',
    text: 'A link shows a customer, an auditor or a contractor exactly what you chose, for as long as you chose. What is hidden from them is not in the page, the files or the counts.',
  },
];

export function Welcome() {
  return (
    <div className="flex flex-col gap-12">
      <div className="flex max-w-2xl flex-col gap-6">
        <p className="text-lead">
          svc keeps the reports of security scans: to read them calmly, to follow findings until they are
          fixed, and to show each person what they may see, and nothing else.
        </p>
        <div className="flex flex-wrap gap-3">
          {offersSignUp() ? (
            <Link to="/signup" className={buttonLook('primary')}>
              Make an account
            </Link>
          ) : (
            <Link to="/login" className={buttonLook('primary')}>
              Sign in
            </Link>
          )}
          <Link to="/sample" className={buttonLook('plain')}>
            Look at a sample report
          </Link>
        </div>
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
