/** The evidence of a finding in order: description, location, and code with the relevant lines marked. */
import type { ProjectedEvidence, ProjectedFinding } from '@svc/contract';
import { enumLabels } from '@svc/report/reading/labels';
import { languageOf, linesOf } from '@svc/report/reading/snippets';
import { InOrder } from '../../ui/in-order.tsx';
import { CodeBlock } from './code-block.tsx';
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
  return (
    <Section title={title}>
      <ol className="flex flex-col gap-4">
        <InOrder of={items}>
          {(item, index) => (
            <li>
              {isPrinted || index < OPEN_MAX ? (
                <Item item={item} number={index + 1} title={title} finding={finding} isPrinted={isPrinted} />
              ) : (
                <details>
                  <summary className="text-quiet">{sourceOf(item)}</summary>
                  <Item item={item} number={index + 1} title={title} finding={finding} isPrinted={false} />
                </details>
              )}
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

function Item({ item, number, title, finding: { id, affected }, isPrinted }: ItemProps) {
  const label = `${title.toLowerCase()} ${number} of ${id}`;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-quiet">
        {enumLabels[item.kind]}
        {item.location ? (
          <>
            {' · '}
            <code>{item.location}</code>
          </>
        ) : null}
        {item.redacted ? ' · Secrets redacted' : ''}
      </p>
      <Prose text={item.description} label={label} />
      {item.snippet ? (
        <CodeBlock
          text={item.snippet}
          label={`Code, ${label}`}
          language={languageOf(item, affected)}
          lines={linesOf(item, affected)}
          isWhole={isPrinted}
        />
      ) : null}
    </div>
  );
}

function sourceOf({ kind, location }: ProjectedEvidence): string {
  return location ? `${enumLabels[kind]} · ${location}` : enumLabels[kind];
}
