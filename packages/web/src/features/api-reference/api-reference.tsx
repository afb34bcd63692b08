/** The API reference, generated from the OpenAPI document of the service. */
import { memo, useEffect, useMemo, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { useSettled } from '../../ui/use-settled.ts';
import { Contents, titleOf } from './contents.tsx';
import { OperationArticle, ErrorList } from './operation.tsx';
import { countOf, readReference, search, type Group, type Reference } from './reference.ts';
import { SchemaTree, type Objects } from './schema-tree.tsx';

/** Rendering other operations takes a slow phone longer than a keystroke. */
const TYPED_AFTER_MS = 100;

export function ApiReference() {
  const reference = useMemo(() => readReference(), []);
  const [wanted, setWanted] = useState('');
  const sought = useSettled(wanted, TYPED_AFTER_MS);
  const found = useMemo(() => search(reference.groups, sought), [reference, sought]);
  useEffect(scrollToAddress, []);
  return (
    <div className="grid gap-x-8 gap-y-6 lg:grid-cols-[15rem_minmax(0,1fr)] print:block">
      <Contents groups={found} total={countOf(reference.groups)} wanted={wanted} onWant={setWanted} />
      <div className="flex min-w-0 flex-col gap-8">
        {sought === '' ? <Conventions reference={reference} /> : null}
        {found.length === 0 ? (
          <div className="flex flex-col items-start gap-2">
            <p>No operation matches your search.</p>
            <Button onClick={() => setWanted('')}>Show all operations</Button>
          </div>
        ) : (
          <Groups groups={found} objects={reference.objects} />
        )}
        {sought === '' ? <NamedObjects objects={reference.objects} /> : null}
      </div>
    </div>
  );
}

/** The browser looks for the fragment before its target is rendered. */
function scrollToAddress(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  if (id !== '') document.getElementById(id)?.scrollIntoView();
}

function Conventions({ reference }: { readonly reference: Reference }) {
  return (
    <section id="conventions" aria-labelledby="conventions-title" className="flex scroll-mt-4 flex-col gap-4">
      <h2 id="conventions-title" className="text-title font-strong">
        Credentials and errors
      </h2>
      <div className="flex max-w-prose flex-col gap-2">
        <p>
          Browsers call the API with the session cookie that sign-in sets. Machines call it as a device:{' '}
          <code>svc login</code> links the machine to an account, and its credential goes into{' '}
          <code>Authorization: Bearer</code>. The examples read both from <code>SVC_SESSION</code> and{' '}
          <code>SVC_DEVICE_TOKEN</code>.
        </p>
        <p>
          Requests and responses are JSON, and times are in UTC. The API rejects fields that are not listed
          here. All errors have the same format (
          <a className="text-accent-text underline" href="#Error">
            Error
          </a>
          ): programs branch on its <code>code</code>, and people read its <code>message</code>. If you can
          retry a request later, <code>Retry-After</code> says when.
        </p>
        <p>
          Machine-readable version:{' '}
          <a href="/api/v1/openapi.json" className="text-accent-text underline">
            openapi.json
          </a>{' '}
          (OpenAPI 3.1).
        </p>
      </div>
      <h3 className="font-strong">Common errors</h3>
      <ErrorList errorEntries={reference.errorEntries} />
    </section>
  );
}

/** Renders only when the search finds another set, not on each keystroke. */
const Groups = memo(function Groups({
  groups,
  objects,
}: {
  readonly groups: readonly Group[];
  readonly objects: Objects;
}) {
  return groups.map(({ name, description, operations }) => (
    <section key={name} aria-labelledby={`group-${name}`}>
      <div className="pb-4">
        <h2 id={`group-${name}`} className="text-title font-strong">
          {titleOf(name)}
        </h2>
        <p className="text-quiet">{description}</p>
      </div>
      {operations.map((operation) => (
        <OperationArticle
          key={operation.id}
          operation={operation}
          objects={objects}
          origin={location.origin}
        />
      ))}
    </section>
  ));
});

const NamedObjects = memo(function NamedObjects({ objects }: { readonly objects: Objects }) {
  return (
    <section id="objects" aria-labelledby="objects-title" className="scroll-mt-4">
      <h2 id="objects-title" className="pb-4 text-title font-strong">
        Objects
      </h2>
      {[...objects].map(([name, schema]) => (
        <div key={name} id={name} className="flex scroll-mt-4 flex-col gap-1 border-t border-line py-4">
          <h3 className="font-strong">{name}</h3>
          <SchemaTree schema={schema} objects={objects} />
        </div>
      ))}
    </section>
  );
});
