/** Projections with hostile texts. The schema says which fields have texts, so new fields are included. */
import { ReportProjection } from '@svc/contract';
import { fullFinding, fullProjection } from './full-projection.ts';

interface Schema {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly format?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** `all texts` includes those with a fixed format, such as ids and times. */
export type Reach = 'free texts' | 'all texts';

/** The full projection, with each of its texts replaced by a result of `make`. */
export function replaced(make: (path: string) => string, reach: Reach): ReportProjection {
  return visit(
    fullProjection([fullFinding(), fullFinding({ id: 'F-2' })]),
    ReportProjection,
    '',
  ) as ReportProjection;

  function visit(value: unknown, schema: Schema, path: string): unknown {
    if (schema.enum !== undefined || 'const' in schema) return value;
    if (typeof value === 'string') {
      const hasForm = schema.pattern !== undefined || schema.format !== undefined;
      return hasForm && reach === 'free texts' ? value : make(path);
    }
    if (Array.isArray(value))
      return value.map((item, index) => visit(item, schema.items!, `${path}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [
        key,
        visit(part, schema.properties![key]!, `${path}/${key}`),
      ]),
    );
  }
}

/** Texts that break out of elements, attributes, comments, styles and titles unless they are escaped. */
export const polyglots: readonly string[] = [
  `"'></title></style></pre><img src=//e.test onerror=document.title='ran'>`,
  `<script>document.title='ran'</script><svg onload=document.title='ran'>`,
  `--></script><iframe srcdoc="<script>parent.document.title='ran'</script>">`,
  `javascript:/*--></title></style></textarea></script></xmp><svg/onload='+/"/+/onmouseover=1/+/[*/[]/+document.title=1//'>`,
  `' onmouseover='document.title=1' x='`,
  `" autofocus onfocus="document.title=1" x="`,
  `data:text/html,<script>document.title='ran'</script>`,
  `https://e.test/"onclick="document.title=1`,
  `</h3></article></main></body></html><base href=//e.test><meta http-equiv=refresh content="0;url=//e.test">`,
  `<!--<form action=//e.test><input name=x><object data=//e.test><link rel=stylesheet href=//e.test>`,
  `&lt;script&gt;&#60;img src=x onerror=alert(1)&#62;&#x3c;`,
  `{{constructor.constructor('document.title=1')()}} \${document.title} <%= 1 %>`,
  `</noscript><style>@import '//e.test';*{background:url(//e.test)}</style>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=document.title=1&gt;">`,
];

/** Pieces that property tests combine into hostile texts. */
export const hostilePieces: readonly string[] = [
  ...polyglots,
  '<', '>', '"', "'", '&', '`', '```', '~~~', '\n', '\r\n', '\r', '- ', '1. ', '=', '/', '\\', ' ', '\t', '\0', '\u001b',
  '\u202e', '\u2066', '\u2028', '\ud800', '\u{1f600}', 'http://', 'https://e.test', 'javascript:', 'java\tscript:', '#', 'a',
  '# ', ' | ', '\n|--|--|\n', '[a](', '](https://e.test/)', '](javascript:alert(1))', '![', ')',
  '\u0627', '</code>', '<mark>', '<!--', '-->', ']]>', '<![CDATA[', '\ufeff', '\ufffe', '\u00ad', '\v', '\f',
]; // prettier-ignore
