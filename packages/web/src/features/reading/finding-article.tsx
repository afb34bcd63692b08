/** A finding as an article. Absent parts leave no trace, since a policy may hide them. */
import type { ProjectedFinding } from '@svc/contract';
import { CARRIED_TAG } from '@svc/contract/status-moves';
import { labelOf, locationOf, enumLabels } from '@svc/report/reading/labels';
import { isWeak, ruleIn, shownTags, toolIn, WEAK_FACT } from '@svc/report/reading/tags';
import { isWebAddress } from '@svc/report/reading/web-addresses';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy.tsx';
import { InOrder } from '../../ui/in-order.tsx';
import { SeverityChip } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';
import { Evidence } from './evidence.tsx';
import { CodeLocation } from './code-location.tsx';
import { Prose } from './prose.tsx';
import { Section } from './section.tsx';
import { WebLink } from './web-link.tsx';

export interface FindingArticleProps {
  readonly finding: ProjectedFinding;
  readonly headingId: string;
  /** Set for print: everything is unfolded and there are no controls. */
  readonly isPrinted?: boolean;
  /** Rendered under the badges. */
  readonly children?: ReactNode;
}

export function FindingArticle({ finding, headingId, isPrinted = false, children }: FindingArticleProps) {
  const { id, title, summary, impact, evidence, corroboration = [], remediation, verificationPlan } = finding;
  return (
    <article aria-labelledby={headingId} className="flex flex-col gap-5">
      <header className="flex flex-col gap-2 break-after-avoid">
        <h2 id={headingId} tabIndex={-1} dir="auto" className="text-title font-strong outline-none">
          {title}
        </h2>
        <Badges finding={finding} isStatusShown={hasValue(children)} />
        <Location finding={finding} isPrinted={isPrinted} />
        {children}
      </header>
      <Part title="Summary" text={summary} of={id} />
      <Part title="Impact" text={impact} of={id} />
      <Evidence title="Evidence" items={evidence} finding={finding} isPrinted={isPrinted} />
      <Evidence title="Corroboration" items={corroboration} finding={finding} isPrinted={isPrinted} />
      <Part title="Reproduction" text={finding.reproduction} of={id} />
      <Part title="Remediation" text={remediation} of={id} />
      <Part title="Verification plan" text={verificationPlan} of={id} />
      <Facts finding={finding} isSeenShown={hasValue(children)} />
      <References finding={finding} />
      <Secrets finding={finding} />
      <History finding={finding} />
    </article>
  );
}

interface BadgesProps {
  readonly finding: ProjectedFinding;
  /** True if a control already shows the status. */
  readonly isStatusShown: boolean;
}

function Badges({ finding, isStatusShown }: BadgesProps) {
  const { id, severity, verification, status, category, tags = [] } = finding;
  const isCarried = tags.includes(CARRIED_TAG);
  return (
    <ul aria-label="Properties" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-quiet">
      <li>
        <SeverityChip severity={severity} />
      </li>
      <li>{enumLabels[verification]}</li>
      {status === undefined || isStatusShown ? null : <li>{enumLabels[status]}</li>}
      {isCarried && !isStatusShown ? <li>Status from an earlier report</li> : null}
      <li>{labelOf(category)}</li>
      <li>
        <code>{id}</code>
      </li>
    </ul>
  );
}

function hasValue(children: ReactNode): boolean {
  return children !== null && children !== undefined;
}

function Location({
  finding,
  isPrinted,
}: {
  readonly finding: ProjectedFinding;
  readonly isPrinted: boolean;
}) {
  const place = locationOf(finding.affected);
  if (place === '') return null;
  return (
    <div className="flex items-center gap-1">
      <CodeLocation place={place} isWhole />
      {isPrinted ? null : <CopyButton text={place} look="quiet" label="Copy location" />}
    </div>
  );
}

function Part({
  title,
  text,
  of,
}: {
  readonly title: string;
  readonly text: string | undefined;
  readonly of: string;
}) {
  if (!text) return null;
  return (
    <Section title={title}>
      <Prose text={text} label={`${title.toLowerCase()} of ${of}`} />
    </Section>
  );
}

interface FactsProps {
  readonly finding: ProjectedFinding;
  /** True if another part already says when the finding was first seen. */
  readonly isSeenShown: boolean;
}

function Facts({ finding, isSeenShown }: FactsProps) {
  const { affected, taxonomy = [], tags = [], firstSeenAt, fixedAt, fingerprint } = finding;
  const where = locationOf(affected);
  const ownTags = shownTags(tags).filter((tag) => tag !== CARRIED_TAG);
  const facts: readonly (readonly [name: string, value: ReactNode, isCode?: boolean])[] = [
    ['Tool', toolIn(tags) ?? ''],
    ['Rule', ruleIn(tags) ?? '', true],
    ['Component', affected.component],
    ['Route', affected.route === where ? '' : (affected.route ?? ''), true],
    ['Origin', affected.origin === where ? '' : (affected.origin ?? ''), true],
    ['Taxonomy', taxonomy.join(', ')],
    ...(isWeak(tags) ? [WEAK_FACT] : []),
    ['Tags', ownTags.join(', ')],
    ['First seen', firstSeenAt === undefined || isSeenShown ? '' : <Time key="seen" at={firstSeenAt} />],
    ['Fixed', fixedAt === undefined ? '' : <Time key="fixed" at={fixedAt} />],
    ['Fingerprint', fingerprint ?? '', true],
  ];
  return (
    <Section title="Details">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value, isCode = false]) => (
            <div key={name} className="contents">
              <dt className="text-quiet">{name}</dt>
              <dd dir="auto">{isCode ? <code>{value}</code> : value}</dd>
            </div>
          ))}
      </dl>
    </Section>
  );
}

/** Links only http and https URLs. */
function References({ finding }: { readonly finding: ProjectedFinding }) {
  const { references = [] } = finding;
  if (references.length === 0) return null;
  return (
    <Section title="References">
      <ul className="flex flex-col gap-1">
        {references.map((reference) => (
          <li key={reference}>{isWebAddress(reference) ? <WebLink address={reference} /> : reference}</li>
        ))}
      </ul>
    </Section>
  );
}

function Secrets({ finding }: { readonly finding: ProjectedFinding }) {
  const { secretReferences = [] } = finding;
  if (secretReferences.length === 0) return null;
  return (
    <Section title="Secrets">
      <ul className="flex flex-col gap-2">
        {secretReferences.map(({ label, kind, location, fingerprint }) => (
          <li key={`${fingerprint} ${label} ${location ?? ''}`}>
            <span dir="auto">{label}</span> <span className="text-quiet">{kind}</span>
            {location === undefined ? null : (
              <>
                {' '}
                <code>{location}</code>
              </>
            )}
            <br />
            <code className="text-quiet">{fingerprint}</code>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function History({ finding }: { readonly finding: ProjectedFinding }) {
  const { fixHistory = [] } = finding;
  if (fixHistory.length === 0) return null;
  return (
    <Section title="History">
      <ol className="flex flex-col gap-2">
        <InOrder of={fixHistory}>
          {({ at, action, verified, note, changedFiles = [] }) => (
            <li>
              <span className="text-quiet nums">
                <Time at={at} />
              </span>{' '}
              {enumLabels[action]}
              {verified && action !== 'verified' ? ', verified' : ''}
              {note ? <p dir="auto">{note}</p> : null}
              {changedFiles.map((file) => (
                <code key={file} className="block">
                  {file}
                </code>
              ))}
            </li>
          )}
        </InOrder>
      </ol>
    </Section>
  );
}
