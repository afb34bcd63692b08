// The import rules, as data. The linter enforces the list through import-rules-plugin.ts, and
// packages/server/test/architecture.test.ts plants a violation of each rule and expects the linter to report it.
//
// Importers and imported modules are named by their path in the repository; a package by its name. Relative paths and
// the server's `#…` names have been resolved by then, so no spelling of an import escapes a rule. A rule lists either
// what it forbids or everything that it allows. Globs: `*` stays within a folder, `**` does not, `{a,b}` is a choice.

export interface ImportRule {
  /** Shown with each violation and in the test. */
  id: string;
  /** What to do instead. */
  because: string;
  importers: readonly string[];
  /** Importers exempt from the rule. */
  except?: readonly string[];
  forbids?: readonly string[];
  /** Everything else is forbidden. */
  allowsOnly?: readonly string[];
  /** Exceptions to `forbids`. */
  allows?: readonly string[];
}

const server = 'packages/server/src';
const feature = `${server}/features/*`;
const web = 'packages/web/src';
const cli = 'packages/cli/src';
const report = 'packages/report/src';
/** Documents for browsers, which are not endpoints. */
const pages = [
  `${server}/features/pages/{index,document,plain-documents}.ts`,
  `${server}/features/pages/*-addresses.ts`,
];
const adapters = `${server}/platform/*/{sqlite,postgres,memory,filesystem,s3,redis,encrypted,stripe,otlp}.ts`;
const tests = ['**/*.test.ts', 'packages/*/test/**'];
const top = (...names: string[]) => names.map((name) => `${server}/${name}.ts`);

/**
 * The packages, each with the other packages, or folders of them, that it may import. Tests may also import the
 * testkit.
 */
export const packageImports: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  report: ['contract'],
  client: ['contract'],
  server: ['contract', 'report'],
  cli: ['contract', 'report', 'client'],
  web: ['contract', 'client', 'report/reading', 'report/making'],
  testkit: ['contract', 'client', 'server'],
  bench: ['contract', 'report', 'client', 'server', 'testkit'],
};

const packageRules: ImportRule[] = Object.entries(packageImports).flatMap(([name, imported]) => {
  const allowed = imported.flatMap((other) => [`@svc/${other}`, `@svc/${other}/**`]);
  const rule = {
    because: `${name} may import ${imported.join(', ') || 'no other package of ours'}, by the package's name`,
    forbids: ['@svc/**', 'packages/**'],
  };
  const own = `packages/${name}/**`;
  return [
    { ...rule, id: `package-${name}`, importers: [own], except: tests, allows: [own, ...allowed] },
    {
      ...rule,
      id: `package-${name}-tests`,
      importers: tests.map((glob) => inPackage(name, glob)),
      allows: [own, ...allowed, '@svc/testkit', '@svc/testkit/**'],
    },
  ];
});

/**
 * The folders of the report package, each with the others that it may import. Rendering reads projections, whose types
 * are in the contract, so no export can contain what its viewer may not see.
 */
export const reportRooms: Readonly<Record<string, readonly string[]>> = {
  text: [],
  reading: [],
  secrets: ['text'],
  identity: ['reading'],
  model: ['reading'],
  intake: ['model', 'identity', 'secrets', 'reading'],
  sarif: ['intake', 'model', 'identity', 'secrets', 'text', 'reading'],
  following: ['model', 'identity', 'reading'],
  listing: ['reading'],
  projection: ['model', 'text', 'reading'],
  render: ['identity', 'reading'],
  making: ['intake', 'sarif', 'following', 'model', 'identity', 'secrets', 'reading'],
};

const reportRules: ImportRule[] = Object.entries(reportRooms).map(([room, others]) => ({
  id: `report-${room}`,
  because: `${room} may import ${others.join(', ') || 'no other folder of the package'}`,
  importers: [`${report}/${room}/**`],
  except: tests,
  forbids: [`${report}/**`],
  allows: [room, ...others].map((each) => `${report}/${each}/**`),
}));

export const importRules: readonly ImportRule[] = [
  ...packageRules,
  ...reportRules,
  {
    id: 'contract-needs-only-schemas',
    because: 'the contract runs everywhere: it imports the schema library and nothing else',
    importers: ['packages/contract/src/**'],
    except: tests,
    allowsOnly: ['packages/contract/{src/**,schemas/calls.json}', 'typebox', 'typebox/**'],
  },
  {
    id: 'browser-safe',
    because: 'this package also runs in a browser, or must do no I/O: leave Node’s own modules out',
    importers: ['packages/{contract,report,client,web}/src/**'],
    // Hashing reads and writes nothing.
    except: [...tests, 'packages/report/src/identity/sha256.ts'],
    forbids: ['node:*', 'node:**'],
  },

  // The pages, from the bottom up: lib, ui, features, pages, app.
  {
    id: 'web-lib-is-the-bottom',
    because: 'lib imports no part of the pages',
    importers: [`${web}/lib/**`],
    forbids: [`${web}/{ui,features,pages,app}/**`],
  },
  {
    id: 'web-ui-below-features',
    because: 'the parts that all pages share import no feature of the product',
    importers: [`${web}/ui/**`],
    forbids: [`${web}/{features,pages,app}/**`],
  },
  {
    id: 'web-features-below-pages',
    because: 'a page imports features; a feature imports no page',
    importers: [`${web}/features/**`],
    forbids: [`${web}/{pages,app}/**`],
  },
  {
    id: 'web-pages-stand-alone',
    because: 'a page is composed of features and ui parts; code that two pages share belongs to one of those',
    importers: [`${web}/pages/**`],
    forbids: [`${web}/{pages,app}/**`],
  },

  // The server, from the top down.
  {
    id: 'main-starts-compose',
    because: 'main.ts starts the program through compose.ts, and imports no part of the program',
    importers: top('main'),
    forbids: [`${server}/{features,http}/**`],
  },
  {
    id: 'commands-beside-the-service',
    because: 'commands and the service share adapters.ts and the features; neither imports the other',
    importers: [`${server}/**`],
    except: [...tests, `${server}/commands/**`, ...top('main')],
    forbids: [`${server}/commands/**`],
  },
  {
    id: 'compose-only-by-main',
    because: 'a file gets what it needs as arguments; only main.ts and run.ts import compose.ts',
    importers: [`${server}/**`],
    except: [...tests, ...top('main', 'run')],
    forbids: top('main', 'run', 'compose'),
  },
  {
    id: 'app-only-by-compose',
    because: 'only compose.ts may import app.ts, which lists the features',
    importers: [`${server}/**`],
    except: [...tests, ...top('compose')],
    forbids: top('app'),
  },
  {
    id: 'adapters-only-in-compose',
    because:
      'depend on the port; compose.ts and adapters.ts choose the adapter, and an adapter’s own tests may name it',
    importers: ['packages/**'],
    // The test of passwords also covers counters, and guesses spread over several replicas.
    except: [
      ...top('compose', 'adapters', 'backup'),
      `${server}/platform/*/*.test.ts`,
      `${feature}/passwords.test.ts`,
    ],
    forbids: [adapters],
  },
  {
    id: 'drivers-only-in-platform',
    because: 'the clients of databases, stores and brokers belong to the adapters in platform',
    importers: [`${server}/**`],
    except: [...tests, `${server}/platform/**`],
    forbids: [
      'pg',
      'pg/**',
      'stripe',
      'node:sqlite',
      'ioredis',
      '@aws-sdk/**',
      '@smithy/**',
      '@opentelemetry/**',
      '@node-rs/argon2',
      'rate-limiter-flexible',
    ],
  },
  {
    id: 'sql-only-in-stores',
    because: 'SQL is written in a feature’s store.ts, in platform/database and nowhere else',
    importers: ['packages/**'],
    except: [`${feature}/*store.ts`, `${server}/platform/database/**`],
    forbids: ['kysely', 'kysely/**'],
  },
  {
    id: 'framework-only-in-http',
    because: 'the web framework is known to http, to app.ts and to the pages, which are no endpoints',
    importers: [`${server}/**`],
    except: [...tests, `${server}/http/**`, ...pages, ...top('app')],
    forbids: ['fastify', 'fastify/**', '@fastify/**'],
  },
  {
    id: 'platform-below-features',
    because: 'platform serves features and http, so it can’t depend on them',
    importers: [`${server}/platform/**`],
    forbids: [`${server}/{features,http}/**`, ...top('config')],
  },
  {
    id: 'http-below-features',
    because: 'http binds the endpoints that it is given; it imports no feature',
    importers: [`${server}/http/**`],
    except: tests,
    forbids: [`${server}/features/**`, ...top('config')],
  },

  // The CLI, which runs in untrusted repositories.
  {
    id: 'cli-starts-programs-in-one-way',
    because:
      'only packages/cli/src/programs starts programs: never one from a repository, and without credentials',
    importers: [`${cli}/**`],
    except: [...tests, `${cli}/programs/run-program.ts`],
    forbids: [
      'node:child_process',
      'child_process',
      'node:cluster',
      'cluster',
      'node:worker_threads',
      'worker_threads',
      'node:vm',
      'vm',
      'node:repl',
      'repl',
      'execa',
      'open',
      'cross-spawn',
      'shelljs',
      'zx',
      'tinyexec',
    ],
  },
  {
    id: 'cli-opens-files-in-one-way',
    because:
      'only packages/cli/src/files opens files: it follows no link and waits for no pipe that a repository could contain',
    importers: [`${cli}/**`],
    except: [
      ...tests,
      `${cli}/files/**`,
      // These files search for programs, and read what the system reports about processes.
      `${cli}/programs/{run-program,search-path}.ts`,
      `${cli}/store/processes.ts`,
      // These files list the scanned repository, and open nothing.
      `${cli}/scanners/{inventory,list-folder,repository-results}.ts`,
      // These files rename and remove what own-file.ts has created, and replace the program that runs.
      `${cli}/analytics/spool.ts`,
      `${cli}/update/{install,program}.ts`,
      // Standard output and standard error.
      `${cli}/terminal/process-output.ts`,
    ],
    forbids: ['node:fs', 'node:fs/promises', 'fs', 'fs/promises', 'graceful-fs', 'fs-extra'],
  },
  {
    id: 'cli-opens-databases-in-one-way',
    because: 'SQLite follows links: only store/sqlite.ts opens databases, after checking the path',
    importers: [`${cli}/**`],
    except: [...tests, `${cli}/store/sqlite.ts`],
    forbids: ['node:sqlite', 'sqlite'],
  },
  {
    id: 'cli-commands-above-actions',
    because:
      'a description in commands loads what the command does; the code of an area never imports descriptions',
    importers: [`${cli}/*/**`],
    except: [...tests, `${cli}/commands/**`],
    forbids: [`${cli}/commands/**`],
  },
  {
    id: 'cli-loads-modules-by-import',
    because: 'createRequire escapes these rules; only the keyring’s library is loaded with it',
    importers: [`${cli}/**`],
    except: [...tests, `${cli}/keystore/embedded-keyring.ts`],
    forbids: ['node:module', 'module'],
  },

  // Rules within a feature.
  {
    id: 'routes-call-service',
    because: 'routes translate between http and the service: no rules, no SQL, no other feature',
    importers: [`${feature}/*routes.ts`],
    allowsOnly: [
      `${server}/http/**`,
      './*service.ts',
      './*routes.ts',
      '@svc/contract',
      '@svc/contract/**',
      '@svc/report',
      ...top('app-error'),
    ],
  },
  {
    id: 'service-below-routes',
    because: 'a service knows stores, policies, ports and other features’ index, and nothing about http',
    importers: [`${feature}/**`],
    except: [...tests, ...pages, `${feature}/index.ts`, `${feature}/*{routes,policy,store}.ts`],
    forbids: [`${server}/http/**`, './*routes.ts', './index.ts', ...top('config')],
  },
  {
    id: 'policy-is-pure',
    because: 'a policy decides from its arguments alone: contract, report and other policies of the feature',
    importers: [`${feature}/*policy.ts`],
    allowsOnly: ['./*policy.ts', '@svc/contract', '@svc/report'],
  },
  {
    id: 'store-is-the-bottom',
    because: 'a store turns arguments into SQL: no service, no http, no other feature',
    importers: [`${feature}/*store.ts`],
    forbids: [`${server}/http/**`, `${server}/features/**`, ...top('config')],
    allows: ['./*{store,policy}.ts'],
  },
  {
    id: 'index-shows-own-feature',
    because: 'an index is the public face of its own feature',
    importers: [`${feature}/index.ts`],
    forbids: [`${server}/features/**`],
    allows: ['./*.ts'],
  },
  {
    id: 'features-by-name',
    because: 'another feature is imported through its index: #features/<name>',
    importers: [`${server}/**`],
    forbids: [`${feature}/**`],
    allows: ['./*.ts', `${feature}/index.ts`],
  },
];

/** Rules about what a resolved import does not say: how the import was spelled, and where its own file is. */
export const spellingRules = {
  staysInFeature: {
    id: 'feature-stays-in-folder',
    because: 'import modules outside the feature’s folder by their # names',
    importers: [`${feature}/**`],
  },
  readable: {
    id: 'import-is-readable',
    because: 'an import of a computed name can’t be checked: spell the module out',
    importers: ['packages/*/{src,test}/**'],
  },
  flat: {
    id: 'feature-is-flat',
    because: 'a feature is one flat folder',
    importers: [`${feature}/*/**`],
  },
} as const;

export interface Violation {
  id: string;
  because: string;
}

/**
 * Every rule that an import breaks.
 * @param imported like `importer` a path in the repository, with forward slashes; or the name of a package.
 */
export function violationsOf(importer: string, imported: string): Violation[] {
  const folder = importer.slice(0, importer.lastIndexOf('/'));
  const is = (globs: readonly string[], path: string) =>
    globs.some((glob) => matches(glob.startsWith('./') ? `${folder}/${glob.slice(2)}` : glob, path));
  return importRules.filter((rule) => {
    if (!is(rule.importers, importer) || is(rule.except ?? [], importer)) return false;
    if (rule.allowsOnly !== undefined) return !is(rule.allowsOnly, imported);
    return is(rule.forbids ?? [], imported) && !is(rule.allows ?? [], imported);
  });
}

const globSigns: Record<string, string> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '{': '(?:',
  ',': '|',
  '}': ')',
};
const compiled = new Map<string, RegExp>();

export function matches(glob: string, path: string): boolean {
  let expression = compiled.get(glob);
  if (expression === undefined) {
    const source = glob.replaceAll(
      /\*\*\/|\*\*|[*{},.+^$()|[\]\\]/g,
      (sign) => globSigns[sign] ?? `\\${sign}`,
    );
    expression = new RegExp(`^${source}$`);
    compiled.set(glob, expression);
  }
  return expression.test(path);
}

function inPackage(name: string, glob: string): string {
  return glob.startsWith('packages/*/')
    ? glob.replace('packages/*', `packages/${name}`)
    : `packages/${name}/${glob}`;
}
