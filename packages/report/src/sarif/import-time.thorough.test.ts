/** Logs in which each result could make the import search everything else that the log names. */
import { expect, test } from 'vitest';
import { processorMs } from '../../test/processor-time.ts';
import { at, log, result, run, type Part } from '../../test/sarif.ts';
import { FileIndex } from './file-index.ts';
import { importSarif } from './import.ts';

const FEW = 500;
const MANY = 8 * FEW;
/**
 * A factor of processor time. Linear work takes 8 times as long for 8 times the results, and quadratic work up to 64
 * times.
 */
const TIMES_MAX = 20;

/** The number of results in the log that is being created. */
let count = FEW;
const many = <Item>(item: (index: number) => Item) =>
  Array.from({ length: count }, (_, index) => item(index));
const results = (more: (index: number) => Part = () => ({})) =>
  many((index) => result({ ruleId: `r${index}`, ...more(index) }, `src/${index}.ts`));
const based = (index: number) => ({
  locations: [at({ uri: 'a.ts', uriBaseId: `B${index}` }, { startLine: 1 })],
});
const long = 'words '.repeat(200_000);

const logs: Readonly<Record<string, () => Part>> = {
  'overrides of rules': () =>
    run(
      results(),
      many((index) => ({ id: `r${index}`, guid: `g${index}` })),
      {
        invocations: [
          {
            ruleConfigurationOverrides: many((index) => ({
              descriptor: index % 2 === 0 ? { id: `r${index}` } : { guid: `g${index}` },
              configuration: { level: 'note' },
            })),
          },
        ],
      },
    ),
  'results without rule ids': () =>
    run(
      results((index) => ({ ruleId: undefined, message: { text: `rule${index} says so` } })),
      many((index) => ({ id: `rule${index}`, name: 'x'.repeat(index % 300) })),
    ),
  'extensions of a tool': () => ({
    ...run(results((index) => ({ rule: { id: `r${index}`, toolComponent: { name: `e${count - index}` } } }))),
    tool: {
      driver: { name: 'Scanner' },
      extensions: many((index) => ({ name: `e${index}`, rules: [{ id: `r${index}` }] })),
    },
  }),
  taxonomies: () =>
    run(
      results((index) => ({ taxa: [{ id: '79', toolComponent: { name: `CWE${count - index}` } }] })),
      [],
      {
        taxonomies: many((index) => ({ name: `CWE${index}` })),
      },
    ),
  'bases of paths': () =>
    run(
      results((index) => based(index)),
      [],
      {
        originalUriBaseIds: Object.fromEntries(many((index) => [`B${index}`, { uri: `file:///b${index}/` }])),
      },
    ),
  'a chain of bases': () =>
    run(
      results((index) => based(index)),
      [],
      {
        originalUriBaseIds: Object.fromEntries(
          many((index) => [`B${index}`, { uri: `d${index}/`, uriBaseId: `B${index + 1}` }]),
        ),
      },
    ),
  'working directories': () =>
    run(results(), [], {
      invocations: many((index) => ({
        executionSuccessful: true,
        workingDirectory: { uri: `file:///w${index}` },
      })),
    }),
  'a rule with long texts': () =>
    run(
      results(() => ({ ruleId: 'r', message: { id: 'long' }, properties: {} })),
      [
        {
          id: 'r',
          name: long,
          shortDescription: { text: long },
          help: { text: long },
          messageStrings: { long: { text: long } },
          properties: { tags: [...many(String), long], 'security-severity': long },
          relationships: many((index) => ({ target: { id: String(index) } })),
        },
      ],
    ),
  'a long artifact': () =>
    run(
      results(() => ({ locations: [at({ index: 0 }, { startLine: 1 })] })),
      [],
      {
        artifacts: [{ location: { uri: long } }],
      },
    ),
  'a long step of many flows': () =>
    run(
      results(() => ({ codeFlows: [{ threadFlows: [{ locations: [{ index: 0 }] }] }] })),
      [],
      {
        threadFlowLocations: [
          { location: { message: { text: long }, ...at({ uri: 'a.ts' }, { snippet: { text: long } }) } },
        ],
      },
    ),
  'nested brackets': () =>
    run(results((index) => ({ message: { text: `${'[a]('.repeat(index < 1000 ? 2000 : 1)}${index}` } }))),
};

function importMs(name: string, ofCount: number): number {
  count = ofCount;
  const text = log(logs[name]?.() ?? {});
  const files = new FileIndex(many((index) => `src/${index}.ts`));
  return processorMs(() => importSarif(text, { files }));
}

test.each(Object.keys(logs))('the time for a log with %s grows linearly with its results', (name) => {
  // The first import compiles the code.
  importMs(name, FEW);
  const few = Math.max(importMs(name, FEW), importMs(name, FEW));
  expect(importMs(name, MANY) / few).toBeLessThan(TIMES_MAX);
});
