/** The contexts of secrets and look-alikes in real files. Each keeps the text unchanged or encodes it as JSON. */
export interface Context {
  readonly name: string;
  readonly wrap: (text: string) => string;
  /** Set for contexts that suit only a single line without quotes and backslashes. */
  readonly isForLines?: true;
}

export const contexts: readonly Context[] = [
  { name: 'alone', wrap: (text) => text },
  { name: 'code', wrap: (text) => `const value = '${text}';\n`, isForLines: true },
  { name: 'JSON', wrap: (text) => JSON.stringify({ a: 1, value: text }), isForLines: true },
  {
    name: 'JSON in a string',
    wrap: (text) => JSON.stringify({ log: `first\n${text}\nlast` }),
    isForLines: true,
  },
  { name: 'YAML', wrap: (text) => `env:\n  - name: VALUE\n    value: ${text}\n`, isForLines: true },
  { name: '.env', wrap: (text) => `OTHER=1\nVALUE=${text}\n`, isForLines: true },
  { name: 'shell', wrap: (text) => `export VALUE="${text}" && run`, isForLines: true },
  { name: 'URL query', wrap: (text) => `GET /x?a=1&value=${text}&b=2 HTTP/1.1`, isForLines: true },
  { name: 'added line', wrap: (text) => `@@ -1 +1 @@\n+${text}\n`, isForLines: true },
  { name: 'removed line', wrap: (text) => `@@ -1 +1 @@\n-${text}\n`, isForLines: true },
  { name: 'comment', wrap: (text) => `# use ${text} for now\n`, isForLines: true },
  {
    name: 'minified code',
    wrap: (text) => `var a=1,b="${text}",c=function(){return b};a&&c()`,
    isForLines: true,
  },
  { name: 'XML', wrap: (text) => `<add key="value" value="${text}"/>`, isForLines: true },
  { name: 'Markdown', wrap: (text) => `Run it with \`${text}\`.\n`, isForLines: true },
  { name: 'end of a sentence', wrap: (text) => `The value is ${text}, as before.`, isForLines: true },
  { name: 'header', wrap: (text) => `Authorization: Bearer ${text}\r\n`, isForLines: true },
];
