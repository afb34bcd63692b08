/**
 * The evidence of a finding in order: description, location, and code with the relevant lines marked. Data flows are
 * numbered steps, and nothing repeats the summary.
 */
import type { ProjectedEvidence, ProjectedFinding } from '@svc/contract';
import { enumLabels, locationOf } from '@svc/report/reading/labels';
import { languageOf, linesOf } from '@svc/report/reading/snippets';
import { visibleLine } from '@svc/report/reading/visible-text';
import type { ReactNode } from 'react';
import { InOrder } from '../../ui/in-order.tsx';
import { CodeBlock } from './code-block.tsx';
import { flowsIn, isRepeated, type Flow } from './flow.ts';
import { Prose } from './prose.tsx';
import { Section } from './section.tsx';

/** Further items are folded at first. */
const OPEN_MAX = 3;

export interface EvidenceProps {
  readonly title: string;
  readonly items: readonly ProjectedEvidence[];
  readonly finding: ProjectedFinding;
  readonly isPrinted: boolean;
}

export function Evidence({ title, items, finding, isPrinted }: EvidenceProps) {
  if (items.length === 0) return null;
  const { flows, others } = flowsIn(items);
  return (
    <>
      {others.length > 0 ? (
        <Section title={title}>
          <ol className="flex flex-col gap-4">
            <InOrder of={others}>
              {(item, index) => (
                <li>
                  <Foldable isFolded={!isPrinted && index >= OPEN_MAX} label={sourceOf(item)}>
                    <Item
                      item={item}
                      number={index + 1}
                      title={title}
                      finding={finding}
                      isPrinted={isPrinted}
                    />
                  </Foldable>
                </li>
              )}
            </InOrder>
          </ol>
        </Section>
      ) : null}
      {flows.map((flow) => (
        <FlowSteps key={flow.name} flow={flow} finding={finding} isPrinted={isPrinted} />
      ))}
    </>
  );
}

interface FoldableProps {
  readonly isFolded: boolean;
  readonly label: string;
  readonly children: ReactNode;
}

function Foldable({ isFolded, label, children }: FoldableProps) {
  if (!isFolded) return children;
  return (
    <details>
      <summary className="text-quiet">{label}</summary>
      {children}
    </details>
  );
}

interface FlowStepsProps extends Pick<EvidenceProps, 'finding' | 'isPrinted'> {
  readonly flow: Flow;
}

/** From the source of the data to where it is used. */
function FlowSteps({ flow: { name, length, steps }, finding, isPrinted }: FlowStepsProps) {
  return (
    <Section title={name === '' ? 'Data flow' : name.replace('Flow', 'Data flow')}>
      <ol className="flex flex-col">
        <InOrder of={steps}>
          {({ number, item, text }) => (
            <li className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-2 pb-4">
              <span className="flex size-6 items-center justify-center rounded-full bg-chosen text-small font-strong nums">
                {number}
              </span>
              <div className="flex flex-col gap-1">
                <p className="flex flex-wrap gap-x-3">
                  {item.location ? <code>{item.location}</code> : null}
                  {text === '' ? null : <span className="text-quiet">{visibleLine(text)}</span>}
                </p>
                {item.snippet ? (
                  <Code
                    item={item}
                    label={`step ${number} of ${length} of ${finding.id}`}
                    finding={finding}
                    isPrinted={isPrinted}
                  />
                ) : null}
              </div>
            </li>
          )}
        </InOrder>
      </ol>
    </Section>
  );
}

interface ItemProps extends Omit<EvidenceProps, 'items'> {
  readonly item: ProjectedEvidence;
  readonly number: number;
}

function Item({ item, number, title, finding, isPrinted }: ItemProps) {
  const label = `${title.toLowerCase()} ${number} of ${finding.id}`;
  const isRepetition = isRepeated(item.description, finding.summary ?? '');
  const isSamePlace = item.location === locationOf(finding.affected);
  return (
    <div className="flex flex-col gap-2">
      <p className="text-quiet">
        {enumLabels[item.kind]}
        {item.location && !isSamePlace ? (
          <>
            {' · '}
            <code>{item.location}</code>
          </>
        ) : null}
        {item.redacted ? ' · Secrets redacted' : ''}
      </p>
      {isRepetition ? null : <Prose text={item.description} label={label} />}
      {item.snippet ? <Code item={item} label={label} finding={finding} isPrinted={isPrinted} /> : null}
    </div>
  );
}

interface CodeProps extends Pick<EvidenceProps, 'finding' | 'isPrinted'> {
  readonly item: ProjectedEvidence;
  readonly label: string;
}

function Code({ item, label, finding: { affected }, isPrinted }: CodeProps) {
  return (
    <CodeBlock
      text={item.snippet ?? ''}
      label={`Code, ${label}`}
      language={languageOf(item, affected)}
      lines={linesOf(item, affected)}
      isWhole={isPrinted}
    />
  );
}

function sourceOf({ kind, location }: ProjectedEvidence): string {
  return location ? `${enumLabels[kind]} · ${location}` : enumLabels[kind];
}
