/** Syntax highlighting, loaded when the first code is shown. */
import bash from 'highlight.js/lib/languages/bash';
import csharp from 'highlight.js/lib/languages/csharp';
import go from 'highlight.js/lib/languages/go';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import yaml from 'highlight.js/lib/languages/yaml';
import { createLowlight } from 'lowlight';
import type { Colour, Run } from './code-lines.ts';

const lowlight = createLowlight({
  bash,
  csharp,
  go,
  java,
  javascript,
  json,
  php,
  python,
  ruby,
  sql,
  typescript,
  yaml,
});

/** The colours by class of the highlighter; other classes are plain. */
const colours: Readonly<Partial<Record<string, Colour>>> = {
  'hljs-keyword': 'keyword',
  'hljs-built_in': 'keyword',
  'hljs-type': 'keyword',
  'hljs-literal': 'number',
  'hljs-number': 'number',
  'hljs-attr': 'keyword',
  'hljs-string': 'string',
  'hljs-regexp': 'string',
  'hljs-comment': 'comment',
  'hljs-meta': 'comment',
};

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

/** The text in runs; one plain run for an unknown language. */
export function runsOf(text: string, language: string): readonly Run[] {
  if (!lowlight.registered(language)) return [{ text }];
  const runs: Run[] = [];
  collect(lowlight.highlight(language, text).children, undefined, runs);
  return runs;
}

function collect(nodes: Nodes, colour: Colour | undefined, runs: Run[]): void {
  for (const node of nodes) {
    if (node.type === 'text')
      runs.push(colour === undefined ? { text: node.value } : { text: node.value, colour });
    else if (node.type === 'element') {
      const { className } = node.properties;
      const name = Array.isArray(className) ? String(className[0]) : '';
      collect(node.children, colours[name] ?? colour, runs);
    }
  }
}
