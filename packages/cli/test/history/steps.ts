/** The common history: what happens before each scan, and how the scanners run in it. */
import type { Change } from './changes.ts';
import type { Manner } from './scanner.ts';

export interface Step {
  readonly title: string;
  readonly changes?: readonly Change[];
  /** The manner of each scanner, by its number; `missing` for those without a log. */
  readonly manner?: (scanner: number) => Manner | 'missing';
}

export const steps: readonly Step[] = [
  { title: 'the first scan' },
  {
    title: 'lines are inserted',
    changes: [
      { kind: 'insert lines', at: 4, to: 2 },
      { kind: 'insert lines', at: 40, to: 1 },
      { kind: 'insert lines', at: 90, to: 0 },
    ],
  },
  { title: 'a file is renamed', changes: [{ kind: 'rename a file', at: 1 }] },
  {
    title: 'of equal lines the first is fixed',
    changes: [
      { kind: 'fix', at: 0 },
      { kind: 'fix', at: 13, to: 1 },
      { kind: 'insert lines', at: 3, to: 2 },
    ],
  },
  {
    title: 'a scanner fails, another is missing, and a folder moves',
    changes: [{ kind: 'move a folder', at: 0 }],
    manner: (scanner) => (scanner === 0 ? { hasFailed: true } : scanner === 1 ? 'missing' : {}),
  },
  { title: 'all scanners are back', changes: [{ kind: 'insert lines', at: 9 }] },
  {
    title: 'equal lines are added',
    changes: [
      { kind: 'add an equal line', at: 2, to: 9 },
      { kind: 'add an equal line', at: 17, to: 31 },
    ],
  },
  {
    title: 'files are indented by tabs, and one line is fixed',
    changes: [
      { kind: 'reindent', at: 0 },
      { kind: 'reindent', at: 3 },
      { kind: 'fix', at: 1, to: 1 },
    ],
  },
  {
    title: 'functions are moved to other files',
    changes: [
      { kind: 'move a function', at: 3, to: 2 },
      { kind: 'move a function', at: 14, to: 0 },
    ],
  },
  {
    title: 'neighbours are edited',
    changes: [
      { kind: 'edit a neighbour', at: 1 },
      { kind: 'edit a neighbour', at: 8, to: 1 },
      { kind: 'edit a neighbour', at: 15 },
      { kind: 'edit a neighbour', at: 15, to: 1 },
    ],
  },
  { title: 'what was fixed is put back', changes: [{ kind: 'put back', at: 0 }] },
  {
    title: 'the scanners say it in other words',
    changes: [{ kind: 'insert lines', at: 22 }],
    manner: () => ({ isReworded: true }),
  },
  {
    title: 'functions are copied',
    changes: [
      { kind: 'copy a function', at: 2, to: 0 },
      { kind: 'copy a function', at: 11, to: 3 },
    ],
  },
  {
    title: 'a copied file is renamed and edited',
    changes: [
      { kind: 'rename a file', at: 2 },
      { kind: 'insert lines', at: 50, to: 2 },
      { kind: 'fix', at: 20 },
    ],
  },
  {
    title: 'all scanners but one fail',
    changes: [{ kind: 'fix', at: 6 }],
    manner: (scanner) => (scanner === 2 ? {} : { hasFailed: true }),
  },
  {
    title: 'and fail again, while files are renamed',
    changes: [
      { kind: 'rename a file', at: 0 },
      { kind: 'rename a file', at: 4 },
    ],
    manner: (scanner) => (scanner === 2 ? {} : 'missing'),
  },
  { title: 'all scanners are back again' },
  {
    title: 'braces stand in lines of their own',
    changes: [
      { kind: 'break before braces', at: 0 },
      { kind: 'break before braces', at: 2 },
    ],
  },
  {
    title: 'a folder moves, and its files are indented by spaces',
    changes: [
      { kind: 'move a folder', at: 1 },
      { kind: 'reindent', at: 3 },
      { kind: 'insert lines', at: 70 },
    ],
  },
  {
    title: 'lines are fixed, added and put back',
    changes: [
      { kind: 'fix', at: 4 },
      { kind: 'add an equal line', at: 30, to: 77 },
      { kind: 'put back', at: 1 },
    ],
  },
];
