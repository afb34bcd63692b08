/** The fields of a schema as a tree. Named objects are folded, since some contain each other many times. */
import { useState } from 'react';
import {
  boundsOf,
  fieldsOf,
  kindOf,
  objectNameOf,
  patternOf,
  shapesOf,
  valuesOf,
  type Field,
  type Schema,
} from './schema.ts';

export type Objects = ReadonlyMap<string, Schema>;

interface TreeProps {
  readonly schema: Schema;
  readonly objects: Objects;
}

/** The schema of a body or response. A top-level object is unfolded. */
export function SchemaTree({ schema, objects }: TreeProps) {
  const shapes = shapesOf(schema);
  if (shapes.length === 0) return <ValueType schema={schema} />;
  return (
    <div className="flex flex-col gap-2">
      {schema.type === 'object' && objectNameOf(schema) === undefined ? null : <ValueType schema={schema} />}
      {shapes.map((shape) => {
        const name = objectNameOf(shape);
        if (name === undefined) return <Fields key="own" schema={shape} objects={objects} />;
        return shapes.length === 1 ? (
          <Fields key={name} schema={objects.get(name) ?? {}} objects={objects} />
        ) : (
          <NamedObject key={name} name={name} objects={objects} />
        );
      })}
    </div>
  );
}

function Fields({ schema, objects }: TreeProps) {
  const fields = fieldsOf(schema);
  return (
    <>
      {schema.description === undefined ? null : <Words text={schema.description} />}
      {schema.externalDocs ? (
        <a href={schema.externalDocs.url} className="text-accent-text underline">
          {schema.externalDocs.description}
        </a>
      ) : null}
      {fields.length === 0 ? null : (
        <ul className="border-l border-line pl-3">
          {fields.map((field) => (
            <FieldRow key={field.name} field={field} objects={objects} />
          ))}
        </ul>
      )}
    </>
  );
}

function FieldRow({ field: { name, schema, isRequired }, objects }: { field: Field; objects: Objects }) {
  return (
    <li className="py-1">
      <p>
        <code className="mr-2 font-strong">{name}</code>
        <ValueLine schema={schema} />
        {isRequired ? null : <span className="text-small text-quiet">, optional</span>}
      </p>
      {schema.description === undefined ? null : <Words text={schema.description} />}
      {shapesOf(schema).map((shape) => {
        const named = objectNameOf(shape);
        return named === undefined ? (
          <Fields key="own" schema={shape === schema ? withoutDescription(shape) : shape} objects={objects} />
        ) : (
          <NamedObject key={named} name={named} objects={objects} />
        );
      })}
    </li>
  );
}

/** The description is already shown above. */
function withoutDescription({ description: _description, ...schema }: Schema): Schema {
  return schema;
}

/** Renders the fields of the object only after it was first opened. */
function NamedObject({ name, objects }: { readonly name: string; readonly objects: Objects }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)} className="py-0.5">
      <summary className="w-fit rounded pr-1 text-small text-accent-text hover:bg-hover">
        Fields of {name}
      </summary>
      {isOpen ? <Fields schema={objects.get(name) ?? {}} objects={objects} /> : null}
    </details>
  );
}

/** The type and description of a value without fields. */
export function ValueType({ schema }: { readonly schema: Schema }) {
  const name = objectNameOf(schema);
  return (
    <>
      <p>
        <ValueLine schema={schema} />
      </p>
      {schema.description === undefined || name !== undefined ? null : <Words text={schema.description} />}
    </>
  );
}

function ValueLine({ schema }: { readonly schema: Schema }) {
  const values = valuesOf(schema);
  const bounds = boundsOf(schema);
  const pattern = patternOf(schema);
  return (
    <span className="text-quiet">
      {kindOf(schema)}
      {values.length === 0 ? null : (
        <>
          {' '}
          {values.map((value, at) => (
            <span key={value}>
              {at === 0 ? '' : ', '}
              <code>{value}</code>
            </span>
          ))}
        </>
      )}
      {bounds === '' ? null : `, ${bounds}`}
      {pattern === undefined ? null : (
        <>
          , matches <code className="break-all">{pattern}</code>
        </>
      )}
    </span>
  );
}

/** A description, with text in backquotes as code. */
export function Words({ text }: { readonly text: string }) {
  return (
    <p className="max-w-prose">
      {text.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}
    </p>
  );
}
