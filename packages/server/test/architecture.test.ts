// Proves that the rules about imports and names detect violations. For each rule, a violation and a correct counterpart are written into
// a small tree beside a copy of the repository's linter configuration. The real linter then checks the whole tree in
// one run. A rule without a planted violation fails as well.
import { execFile } from 'node:child_process';
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { importRules, packageImports, reportRooms, spellingRules } from '../../../scripts/import-rules.ts';
import { nameRules } from '../../../scripts/name-rules.ts';

const repository = path.join(import.meta.dirname, '../../..');
const src = 'packages/server/src';
const cycle = 'no-cycle';

interface Plant {
  rule: string;
  file: string;
  violation: string;
  /** Correct code for the same need; null when the rule allows none. */
  clean: string | null;
}

// `$` is replaced by a name that differs between the violation and its correct counterpart.
const plants: Plant[] = [
  {
    rule: 'contract-needs-only-schemas',
    file: 'packages/contract/src/$.ts',
    violation: `import 'zod';`,
    clean: `import 'typebox/compile';`,
  },
  {
    rule: 'browser-safe',
    file: 'packages/client/src/$.ts',
    violation: `import 'node:fs/promises';`,
    clean: `import '@svc/contract';`,
  },
  {
    rule: 'web-lib-is-the-bottom',
    file: 'packages/web/src/lib/$.ts',
    violation: `import '../ui/button.tsx';`,
    clean: `import './words.ts';`,
  },
  {
    rule: 'web-ui-below-features',
    file: 'packages/web/src/ui/$.tsx',
    violation: `import '../features/auth/session.ts';`,
    clean: `import '../lib/format.ts';`,
  },
  {
    rule: 'web-features-below-pages',
    file: 'packages/web/src/features/$/list.tsx',
    violation: `import '../../pages/home.tsx';`,
    clean: `import '../../ui/button.tsx';`,
  },
  {
    rule: 'web-pages-stand-alone',
    file: 'packages/web/src/pages/$.tsx',
    violation: `import './home.tsx';`,
    clean: `import '../features/auth/session.ts';`,
  },
  {
    rule: 'main-starts-compose',
    file: `${src}/main.ts`,
    violation: `import '#features/shares';`,
    clean: null,
  },
  {
    rule: 'commands-beside-the-service',
    file: `${src}/http/$.ts`,
    violation: `import '../commands/index.ts';`,
    clean: `import '#platform/clock';`,
  },
  {
    rule: 'compose-only-by-main',
    file: `${src}/http/$.ts`,
    violation: `import '../compose.ts';`,
    clean: `import '#platform/clock';`,
  },
  {
    rule: 'app-only-by-compose',
    file: `${src}/http/$.ts`,
    violation: `export { app } from '../app.ts';`,
    clean: `import './binding.ts';`,
  },
  {
    rule: 'adapters-only-in-compose',
    file: `${src}/features/$/service.ts`,
    violation: `await import('#platform/bus/postgres');`,
    clean: `import type { Bus } from '#platform/bus/bus'; export type Own = Bus;`,
  },
  {
    rule: 'adapters-only-in-compose',
    file: `${src}/platform/bus/$.ts`,
    violation: `import './memory.ts';`,
    clean: `import './bus.ts';`,
  },
  {
    rule: 'adapters-only-in-compose',
    file: `${src}/features/shares/$.http.test.ts`,
    violation: `import '#platform/bus/memory';`,
    clean: `import '@svc/testkit';`,
  },
  {
    rule: 'drivers-only-in-platform',
    file: `${src}/features/$/service.ts`,
    violation: `import type { Client } from 'pg'; export type Own = Client;`,
    clean: `import '#platform/database/database';`,
  },
  {
    rule: 'sql-only-in-stores',
    file: `${src}/features/$/service.ts`,
    violation: `export type Own = import('kysely').Kysely<object>;`,
    clean: `import './store.ts';`,
  },
  {
    rule: 'sql-only-in-stores',
    file: 'packages/server/test/$.test.ts',
    violation: `import 'kysely/migration';`,
    clean: `import '@svc/testkit';`,
  },
  {
    rule: 'framework-only-in-http',
    file: `${src}/platform/$.ts`,
    violation: `import 'fastify';`,
    clean: `import './clock.ts';`,
  },
  {
    rule: 'platform-below-features',
    file: `${src}/platform/bus/$.ts`,
    violation: `import '#features/shares';`,
    clean: `import '../clock.ts';`,
  },
  {
    rule: 'platform-below-features',
    file: `${src}/platform/$.ts`,
    violation: `import '../http/binding.ts';`,
    clean: `import './bus/bus.ts';`,
  },
  {
    rule: 'http-below-features',
    file: `${src}/http/$.ts`,
    violation: `import '../features/shares/index.ts';`,
    clean: `import '@svc/contract';`,
  },
  {
    rule: 'routes-call-service',
    file: `${src}/features/$/routes.ts`,
    violation: `import './store.ts';`,
    clean: `import './service.ts'; import '#http/binding'; import '@svc/contract';`,
  },
  {
    rule: 'routes-call-service',
    file: `${src}/features/$/routes.ts`,
    violation: `import '#features/shares';`,
    clean: null,
  },
  {
    rule: 'service-below-routes',
    file: `${src}/features/$/service.ts`,
    violation: `import '#http/binding';`,
    clean: `import './store.ts'; import './policy.ts'; import '#platform/clock'; import '#features/shares';`,
  },
  {
    rule: 'service-below-routes',
    file: `${src}/features/$/helper.ts`,
    violation: `import './routes.ts';`,
    clean: `import './policy.ts';`,
  },
  {
    rule: 'policy-is-pure',
    file: `${src}/features/$/policy.ts`,
    violation: `import '#platform/clock';`,
    clean: `import '@svc/contract'; import './password-policy.ts';`,
  },
  {
    rule: 'policy-is-pure',
    file: `${src}/features/$/policy.ts`,
    violation: `import 'node:crypto';`,
    clean: null,
  },
  {
    rule: 'store-is-the-bottom',
    file: `${src}/features/$/store.ts`,
    violation: `import './service.ts';`,
    clean: `import 'kysely'; import '#platform/database/database'; import './policy.ts';`,
  },
  {
    rule: 'index-shows-own-feature',
    file: `${src}/features/$/index.ts`,
    violation: `import '#features/shares';`,
    clean: `import './routes.ts'; import './service.ts';`,
  },
  {
    rule: 'features-by-name',
    file: `${src}/app.ts`,
    violation: `import './features/shares/service.ts';`,
    clean: null,
  },
  {
    rule: 'features-by-name',
    file: `${src}/features/$/service.ts`,
    violation: `import '#platform/../features/shares/service';`,
    clean: `import '#features/shares';`,
  },
  {
    rule: spellingRules.staysInFeature.id,
    file: `${src}/features/$/service.ts`,
    violation: `import '../../platform/clock.ts';`,
    clean: `import '#platform/clock';`,
  },
  {
    rule: spellingRules.readable.id,
    file: `${src}/features/$/service.ts`,
    violation: 'export const load = (name: string) => import(`#features/${name}`);',
    clean: 'export const load = () => import(`#features/shares`);',
  },
  {
    rule: spellingRules.flat.id,
    file: `${src}/features/$/inner/policy.ts`,
    violation: 'export {};',
    clean: null,
  },
  {
    rule: cycle,
    file: `${src}/features/$/service.ts`,
    violation: `import type { Own } from './policy.ts'; export type Other = Own;`,
    clean: `import './store.ts';`,
  },
  {
    rule: 'cli-starts-programs-in-one-way',
    file: 'packages/cli/src/report/$.ts',
    violation: `import { execFile } from 'node:child_process'; export { execFile };`,
    clean: `import '../programs/git.ts';`,
  },
  {
    rule: 'cli-starts-programs-in-one-way',
    file: 'packages/cli/src/scanners/$.ts',
    violation: `export const { spawn } = process.getBuiltinModule('node:child_process');`,
    clean: `import '../programs/run-program.ts';`,
  },
  {
    rule: 'cli-starts-programs-in-one-way',
    file: 'packages/cli/src/programs/$.ts',
    violation: `export const load = () => import('open');`,
    clean: `import './run-program.ts';`,
  },
  {
    rule: 'cli-opens-files-in-one-way',
    file: 'packages/cli/src/project/$.ts',
    violation: `import { readFile } from 'node:fs/promises'; export { readFile };`,
    clean: `import '../files/own-file.ts';`,
  },
  {
    rule: 'cli-opens-databases-in-one-way',
    file: 'packages/cli/src/store/$.ts',
    violation: `import 'node:sqlite';`,
    clean: `import './sqlite.ts';`,
  },
  {
    rule: 'cli-commands-above-actions',
    file: 'packages/cli/src/completion/$.ts',
    violation: `import '../commands/index.ts';`,
    clean: `import '../command.ts';`,
  },
  {
    rule: 'cli-loads-modules-by-import',
    file: 'packages/cli/src/store/$.ts',
    violation: `import 'node:module';`,
    clean: null,
  },
  {
    rule: 'browser-storage-in-one-place',
    file: 'packages/web/src/features/$/choice.ts',
    violation: `export const choice = () => localStorage.getItem('choice');`,
    clean: `import { browserStore } from '../../lib/browser-storage.ts'; export { browserStore };`,
  },
  {
    rule: 'browser-storage-in-one-place',
    file: 'packages/web/src/$.ts',
    violation: `export const { sessionStorage: own } = window;`,
    clean: null,
  },
  {
    rule: 'browser-storage-in-one-place',
    file: 'packages/client/src/$.ts',
    violation: `export const own = () => globalThis['localStorage'];`,
    clean: `export const own = () => globalThis['location'];`,
  },
  {
    rule: 'browser-storage-in-one-place',
    file: 'packages/web/src/lib/$.ts',
    violation: 'export const own = () => self[`sessionStorage`];',
    clean: null,
  },
  {
    rule: 'browser-tabs-in-one-place',
    file: 'packages/web/src/features/$/feed.ts',
    violation: `export const channel = () => new BroadcastChannel('feed');`,
    clean: `import { openChannel } from '../../lib/between-tabs.ts'; export { openChannel };`,
  },
  {
    rule: 'browser-tabs-in-one-place',
    file: 'packages/web/src/features/$/lead.ts',
    violation: `export const lead = () => navigator.locks.request('lead', () => Promise.resolve());`,
    clean: null,
  },
  {
    rule: 'browser-without-other-storage',
    file: 'packages/web/src/ui/$.ts',
    violation: `export const open = () => window.indexedDB.open('own');`,
    clean: null,
  },
  {
    rule: 'browser-without-other-storage',
    file: 'packages/report/src/reading/$.ts',
    violation: `export const own = () => document.cookie;`,
    clean: `export const own = () => document.title;`,
  },
  ...packagePlants(),
  ...reportPlants(),
];

/** For each package, one of our packages that it may not import, from a source file and from a test. */
function packagePlants(): Plant[] {
  const names = Object.keys(packageImports);
  return names.flatMap((name) => {
    const allowed = packageImports[name]!;
    const other = names.find(
      (candidate) => candidate !== name && candidate !== 'testkit' && !allowed.includes(candidate),
    )!;
    const clean = allowed.map((each) => `import '@svc/${each}';`).join(' ');
    return [
      {
        rule: `package-${name}`,
        file: `packages/${name}/scripts/$.ts`,
        violation: `import '@svc/${other}';`,
        clean,
      },
      {
        rule: `package-${name}`,
        file: `packages/${name}/scripts/$.ts`,
        violation: `import '../../${other}/src/index.ts';`,
        clean: null,
      },
      {
        rule: `package-${name}-tests`,
        file: `packages/${name}/test/$.ts`,
        violation: `import '@svc/${other}';`,
        clean: `${clean} import '@svc/testkit';`,
      },
    ];
  });
}

/** For each folder of the report package, another one that it may not import. */
function reportPlants(): Plant[] {
  const rooms = Object.keys(reportRooms);
  return rooms.map((room) => {
    const allowed = reportRooms[room]!;
    const other = rooms.findLast((candidate) => candidate !== room && !allowed.includes(candidate))!;
    return {
      rule: `report-${room}`,
      file: `packages/report/src/${room}/$.ts`,
      violation: `import '../${other}/any.ts';`,
      clean: [`import './any.ts';`, ...allowed.map((each) => `import '../${each}/any.ts';`)].join(' '),
    };
  });
}

/** The correct counterparts import files that exist, so that the linter can follow them when it searches for cycles. */
const surroundings: Record<string, string> = {
  [`${src}/compose.ts`]: 'export {};',
  [`${src}/http/binding.ts`]: 'export {};',
  [`${src}/platform/clock.ts`]: 'export {};',
  [`${src}/platform/bus/bus.ts`]: 'export interface Bus {}',
  [`${src}/platform/bus/memory.ts`]: 'export {};',
  [`${src}/platform/database/database.ts`]: 'export {};',
  [`${src}/features/shares/index.ts`]: 'export {};',
};

let tree: string;
let reports: Report[];

interface Report {
  file: string;
  rule: string;
}

beforeAll(async () => {
  tree = await fs.mkdtemp(path.join(os.tmpdir(), 'architecture-'));
  for (const file of [
    'oxlint.config.ts',
    'scripts/import-rules.ts',
    'scripts/import-rules-plugin.ts',
    'scripts/name-rules.ts',
    'scripts/name-rules-plugin.ts',
    'package.json',
  ]) {
    await copy(file);
  }
  for (const name of Object.keys(packageImports)) await write(`packages/${name}/package.json`, '{}');
  await copy('packages/server/package.json');
  for (const [file, content] of Object.entries(surroundings)) await write(file, content);
  for (const [index, plant] of plants.entries()) {
    await write(fileOf(plant, index, 'violation'), plant.violation);
    if (plant.clean !== null) await write(fileOf(plant, index, 'clean'), plant.clean);
  }
  // The other half of the planted cycle.
  const cycleIndex = plants.findIndex(({ rule }) => rule === cycle);
  const halfOfCycle = path.join(
    path.dirname(fileOf(plants[cycleIndex]!, cycleIndex, 'violation')),
    'policy.ts',
  );
  await write(halfOfCycle, `import type { Other } from './service.ts'; export type Own = Other;`);
  reports = await lint(tree);
});

afterAll(() => fs.rm(tree, { recursive: true, force: true }));

describe('the linter', () => {
  test.each(plants.map((plant, index) => ({ ...plant, index })))(
    '[$rule] detects `$violation` in $file, and only that',
    (plant) => {
      const file = fileOf(plant, plant.index, 'violation');
      expect(reports.filter((report) => report.file === file).map(({ rule }) => rule)).toEqual([plant.rule]);
    },
  );

  test.each(plants.map((plant, index) => ({ ...plant, index })).filter(({ clean }) => clean !== null))(
    '[$rule] allows `$clean` in $file',
    (plant) => {
      const file = fileOf(plant, plant.index, 'clean');
      expect(reports.filter((report) => report.file === file)).toEqual([]);
    },
  );

  test('every rule has a planted violation', () => {
    const rules = [
      ...[...importRules, ...nameRules].map(({ id }) => id),
      ...Object.values(spellingRules).map(({ id }) => id),
      cycle,
    ];
    const planted = new Set(plants.map(({ rule }) => rule));
    expect(rules.filter((rule) => !planted.has(rule))).toEqual([]);
  });
});

function fileOf(plant: Plant, index: number, kind: 'violation' | 'clean'): string {
  if (plant.file.includes('$')) return plant.file.replace('$', `${kind}-${index}`);
  // The file's name is part of the rule (main.ts, app.ts), so only one of the two can exist.
  return plant.file;
}

async function copy(file: string) {
  await write(file, await fs.readFile(path.join(repository, file), 'utf8'));
}

async function write(file: string, content: string) {
  const target = path.join(tree, file);
  await fs.mkdir(path.dirname(target), { recursive: true });
  await fs.writeFile(target, `${content}\n`);
}

/** The linter's reports about imports and names, with the rule's id instead of the linter's own name. */
async function lint(folder: string): Promise<Report[]> {
  const linter = path.join(repository, 'node_modules/oxlint/bin/oxlint');
  const run = promisify(execFile)(process.execPath, [linter, '--format=json', '--config=oxlint.config.ts'], {
    cwd: folder,
    maxBuffer: 64 * 2 ** 20,
  });
  const { stdout } = await run.catch((failure: unknown) => failure as { stdout: string });
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: { code: string; filename: string; message: string }[];
  };
  return diagnostics.flatMap(({ code, filename, message }) => {
    const file = filename.split(path.sep).join('/');
    if (code === 'import(no-cycle)') return [{ file, rule: cycle }];
    if (code === 'imports(allowed)' || code === 'names(allowed)')
      return [{ file, rule: /^\[(.+?)\]/.exec(message)![1]! }];
    return [];
  });
}
