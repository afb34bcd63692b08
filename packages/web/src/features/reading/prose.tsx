/** The prose of a finding: paragraphs, lists, code and addresses of the web. Whatever else a text holds is shown as it stands. */
import type { ProseInline } from '@svc/contract/reading/prose-inline';
import { proseOf, type ProseBlock } from '@svc/contract/reading/prose';
import { addressesIn } from '@svc/contract/reading/web-addresses';
import { useMemo } from 'react';
import { InOrder } from '../../ui/in-order.tsx';
import { CodeBlock } from './code-block.tsx';
import { WebLink } from './web-link.tsx';

export interface ProseProps {
  readonly text: string;
  /** Names the text for those who come upon its code by itself. */
  readonly label: string;
}

export function Prose({ text, label }: ProseProps) {
  const blocks = useMemo(() => proseOf(text), [text]);
  return (
    <div className="flex flex-col gap-2">
      <Blocks blocks={blocks} label={label} />
    </div>
  );
}

function Blocks({ blocks, label }: { readonly blocks: readonly ProseBlock[]; readonly label: string }) {
  return <InOrder of={blocks}>{(block) => <Block block={block} label={label} />}</InOrder>;
}

function Block({ block, label }: { readonly block: ProseBlock; readonly label: string }) {
  if (block.kind === 'code')
    return <CodeBlock text={block.text} language={block.language} label={`Code, ${label}`} />;
  if (block.kind === 'paragraph') {
    return (
      <p dir="auto" className="whitespace-pre-line">
        <InOrder of={block.content}>{(part) => <Inline part={part} />}</InOrder>
      </p>
    );
  }
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

function Inline({ part: { kind, text } }: { readonly part: ProseInline }) {
  if (kind === 'code') return <code className="rounded bg-sunken px-1 py-0.5">{text}</code>;
  return (
    <InOrder of={addressesIn(text)}>
      {(part) => (part.isAddress ? <WebLink address={part.text} /> : part.text)}
    </InOrder>
  );
}
