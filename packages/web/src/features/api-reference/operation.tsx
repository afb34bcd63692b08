/** One operation: its request, responses and errors. */
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy.tsx';
import { curlOf } from './example.ts';
import type { Credential, Operation, Parameter, ErrorEntry } from './reference.ts';
import { SchemaTree, ValueType, Words, type Objects } from './schema-tree.tsx';

const credentialLabels: Readonly<Record<Credential, string>> = {
  none: 'No credential required.',
  session: 'Requires a browser session (cookie svc_session).',
  device: 'Requires a device credential (Authorization: Bearer).',
  sessionOrDevice: 'Requires a browser session or a device credential.',
  optionalSession: 'No credential required; signed-in users may see more.',
};

const parameterLocations = { path: 'in the path', query: 'in the query', header: 'a header' } as const;

export interface OperationProps {
  readonly operation: Operation;
  readonly objects: Objects;
  /** The origin of the service, for the example. */
  readonly origin: string;
}

export function OperationArticle({ operation, objects, origin }: OperationProps) {
  const { id, method, path, summary, credential, parameters, body, answers, errorEntries } = operation;
  return (
    <article
      id={id}
      aria-labelledby={`${id}-title`}
      className="grid scroll-mt-4 gap-x-8 gap-y-4 border-t border-line py-6 xl:grid-cols-[minmax(0,1fr)_minmax(0,28rem)] print:block print:break-inside-auto"
    >
      <div className="flex min-w-0 flex-col gap-4">
        <header className="flex flex-col gap-1">
          <h3 id={`${id}-title`} className="text-lead font-strong">
            <a href={`#${id}`} className="hover:underline">
              {summary}
            </a>
          </h3>
          <p className="flex flex-wrap items-baseline gap-x-2">
            <Method method={method} />
            <code className="break-all">{path}</code>
          </p>
          <p className="text-small text-quiet">
            <code>{id}</code>. {credentialLabels[credential]}
          </p>
        </header>
        {parameters.length === 0 ? null : (
          <Part title="Parameters">
            <Parameters parameters={parameters} />
          </Part>
        )}
        {body ? (
          <Part title="Body">
            <SchemaTree schema={body} objects={objects} />
          </Part>
        ) : null}
        {answers.map(({ status, description, types, schema }) => (
          <Part key={status} title={`Response ${status}`}>
            <p className="text-quiet">
              {[description, types.join(', ')].filter((part) => part !== '').join(' ')}
            </p>
            {schema && types.length > 0 ? <SchemaTree schema={schema} objects={objects} /> : null}
          </Part>
        ))}
        {errorEntries.length === 0 ? null : (
          <Part title="Errors">
            <ErrorList errorEntries={errorEntries} />
          </Part>
        )}
      </div>
      <Example command={curlOf(operation, origin, objects)} summary={summary} />
    </article>
  );
}

function Method({ method }: { readonly method: string }) {
  return <span className="font-mono text-small font-strong">{method}</span>;
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-1">
      <h4 className="font-strong break-after-avoid">{title}</h4>
      {children}
    </section>
  );
}

function Parameters({ parameters }: { readonly parameters: readonly Parameter[] }) {
  return (
    <ul className="border-l border-line pl-3">
      {parameters.map(({ name, in: location, required, description, schema }) => (
        <li key={`${location} ${name}`} className="py-1">
          <p>
            <code className="mr-2 font-strong">{name}</code>
            <span className="text-small text-quiet">
              {parameterLocations[location]}
              {required ? '' : ', optional'}
            </span>
          </p>
          {description === undefined ? null : <Words text={description} />}
          <ValueType schema={schema} />
        </li>
      ))}
    </ul>
  );
}

export function ErrorList({ errorEntries }: { readonly errorEntries: readonly ErrorEntry[] }) {
  return (
    <dl className="flex flex-col gap-2 border-l border-line pl-3">
      {errorEntries.map(({ code, statuses, message, advice }) => (
        <div key={code} className="break-inside-avoid">
          <dt>
            <code className="mr-2 font-strong">{code}</code>
            <span className="nums text-small text-quiet">{statuses.join(', ')}</span>
          </dt>
          <dd className="max-w-prose">
            {message} {advice}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Example({ command, summary }: { readonly command: string; readonly summary: string }) {
  return (
    <div className="min-w-0">
      <div className="rounded bg-sunken xl:sticky xl:top-4">
        <div className="flex items-center justify-between gap-2 py-1 pr-1 pl-3">
          <span className="text-small text-quiet">Example</span>
          <CopyButton
            text={command}
            look="quiet"
            label={`Copy the example: ${summary}`}
            className="print:hidden"
          />
        </div>
        <pre
          tabIndex={0}
          role="group"
          aria-label={`Example: ${summary}`}
          className="overflow-x-auto px-3 pb-3 print:whitespace-pre-wrap"
        >
          <code>{command}</code>
        </pre>
      </div>
    </div>
  );
}
