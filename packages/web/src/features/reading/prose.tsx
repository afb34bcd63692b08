/**
 * Prose of a finding: paragraphs, headings, lists, tables, code and links. Anything else is shown literally, never as
 * HTML.
 */
import type { RichInline } from '@svc/report/reading/prose-links';
import { richProseOf, type RichBlock } from '@svc/report/reading/prose';
import { addressesIn } from '@svc/report/reading/web-addresses';
import { useMemo } from 'react';
import { InOrder } from '../../ui/in-order.tsx';
import { CodeBlock } from './code-block.tsx';
import { WebLink } from './web-link.tsx';

export interface ProseProps {
  readonly text: string;
  /** The accessible name of code blocks and tables in the text. */
  readonly label: string;
}

export function Prose({ text, label }: ProseProps) {
  const blocks = useMemo(() => richProseOf(text), [text]);
  return (
    <div className="flex flex-col gap-2">
      <Blocks blocks={blocks} label={label} />
    </div>
  );
}

function Blocks({ blocks, label }: { readonly blocks: readonly RichBlock[]; readonly label: string }) {
  return <InOrder of={blocks}>{(block) => <Block block={block} label={label} />}</InOrder>;
}

function Block({ block, label }: { readonly block: RichBlock; readonly label: string }) {
  if (block.kind === 'code')
    return <CodeBlock text={block.text} language={block.language} label={`Code, ${label}`} />;
  if (block.kind === 'paragraph') {
    return (
      <p dir="auto" className="measure whitespace-pre-line">
        <Inlines parts={block.content} />
      </p>
    );
  }
  if (block.kind === 'heading') {
    return (
      <h4 dir="auto" className="font-strong">
        <Inlines parts={block.content} />
      </h4>
    );
  }
  if (block.kind === 'table') return <Table table={block} label={label} />;
  const items = (
    <InOrder of={block.items}>
      {(item) => (
        <li>
          <Blocks blocks={item} label={label} />
        </li>
      )}
    </InOrder>
  );
  return block.ordered ? (
    <ol start={block.start} className="list-decimal pl-6">
      {items}
    </ol>
  ) : (
    <ul className="list-disc pl-6">{items}</ul>
  );
}

interface TableProps {
  readonly table: Extract<RichBlock, { kind: 'table' }>;
  readonly label: string;
}

/** Wide tables scroll on their own, including by keyboard. */
function Table({ table: { head, rows }, label }: TableProps) {
  return (
    <div role="group" tabIndex={0} aria-label={`Table, ${label}`} className="overflow-x-auto">
      <table className="border-collapse text-left">
        <thead>
          <tr>
            <InOrder of={head}>
              {(cell) => (
                <th scope="col" dir="auto" className="border-b border-edge py-1 pr-4 align-top font-strong">
                  <Inlines parts={cell} />
                </th>
              )}
            </InOrder>
          </tr>
        </thead>
        <tbody>
          <InOrder of={rows}>
            {(row) => (
              <tr>
                <InOrder of={row}>
                  {(cell) => (
                    <td dir="auto" className="border-b border-edge py-1 pr-4 align-top">
                      <Inlines parts={cell} />
                    </td>
                  )}
                </InOrder>
              </tr>
            )}
          </InOrder>
        </tbody>
      </table>
    </div>
  );
}

function Inlines({ parts }: { readonly parts: readonly RichInline[] }) {
  return <InOrder of={parts}>{(part) => <Inline part={part} />}</InOrder>;
}

function Inline({ part }: { readonly part: RichInline }) {
  if (part.kind === 'code') return <code className="rounded bg-sunken px-1 py-0.5">{part.text}</code>;
  if (part.kind === 'link') return <WebLink address={part.address} text={part.text} />;
  return (
    <InOrder of={addressesIn(part.text)}>
      {({ text, isAddress }) => (isAddress ? <WebLink address={text} /> : text)}
    </InOrder>
  );
}
