// What the linter looks for beyond the compiler. `npm run check` runs it with types; who may import whom is in
// scripts/import-rules.ts, and who may use what browsers deny is in scripts/name-rules.ts. Everything reported is an error:
// a warning that may stay is a rule that should go.
import type { OxlintConfig } from 'oxlint';

const untyped = {
  'typescript/no-unsafe-argument': 'off',
  'typescript/no-unsafe-assignment': 'off',
  'typescript/no-unsafe-call': 'off',
  'typescript/no-unsafe-member-access': 'off',
  'typescript/no-unsafe-return': 'off',
} as const;

export default {
  plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'node', 'promise', 'vitest'],
  jsPlugins: ['./scripts/import-rules-plugin.ts', './scripts/name-rules-plugin.ts'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { reportUnusedDisableDirectives: 'error' },
  env: { builtin: true },
  ignorePatterns: ['**/dist/**', 'packages/contract/schemas/**'],
  rules: {
    'imports/allowed': 'error',
    'names/allowed': 'error',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-default-export': 'error',
    'import/no-duplicates': 'error',
    'import/no-mutable-exports': 'error',
    'import/extensions': ['error', 'ignorePackages'],
    'unicorn/prefer-node-protocol': 'error',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],

    // Promises: none may be lost, and none may be where a plain value is expected.
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/await-thenable': 'error',
    'typescript/return-await': ['error', 'error-handling-correctness-only'],
    'typescript/prefer-promise-reject-errors': 'error',
    'typescript/only-throw-error': 'error',

    // Types: nothing gets past the compiler by being any, being asserted or being left out of a switch.
    'typescript/no-explicit-any': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/no-unsafe-function-type': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/ban-ts-comment': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/no-deprecated': 'error',
    'typescript/restrict-plus-operands': 'error',
    'typescript/prefer-nullish-coalescing': ['error', { ignorePrimitives: { string: true } }], // '' often means none
    'typescript/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
    'typescript/no-import-type-side-effects': 'error',
    'typescript/no-namespace': 'error',
    'typescript/no-require-imports': 'error',

    // Traps and debugging remains.
    eqeqeq: 'error',
    'no-console': 'error',
    'no-else-return': 'error',
    'no-param-reassign': 'error',
    'no-var': 'error',
    'no-warning-comments': ['error', { terms: ['fixme', 'xxx', 'hack', 'todo'] }],
    'prefer-const': 'error',
    'object-shorthand': 'error',
    'prefer-template': 'error',
    'no-useless-return': 'error',
    'no-return-assign': 'error',
    'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    'unicorn/throw-new-error': 'error',
    'unicorn/error-message': 'error',
    'unicorn/no-instanceof-array': 'error',
    'unicorn/prefer-string-slice': 'error',
    'unicorn/prefer-type-error': 'error',

    // Off, because what they ask for is not better here.
    'no-await-in-loop': 'off', // one after the other is often the point
    'oxc/no-map-spread': 'off', // a copy is wanted where one is written
    'no-underscore-dangle': 'off', // `_` marks what is deliberately unused
    'promise/always-return': 'off', // needs no then() chains to be right, and misreads the ones there are
    'unicorn/consistent-function-scoping': 'off', // a helper may live beside its only use
    'typescript/consistent-return': 'off', // the compiler's noImplicitReturns knows the types
    'typescript/no-misused-spread': ['error', { allow: ['string'] }], // spreading a string is how to count its characters
    'typescript/unbound-method': 'off', // services are closures: their functions have no `this` to lose
    'typescript/no-unsafe-type-assertion': 'off', // every assertion narrows; reviews look at them
    'import/no-named-as-default-member': 'off', // reports Node's own modules
    'import/no-unassigned-import': 'off',
    'import/no-named-as-default': 'off', // the schema library exports its one object both ways
  },
  overrides: [
    {
      files: ['packages/server/src/**/*.ts'],
      excludeFiles: ['packages/server/src/config.ts', 'packages/server/src/main.ts', '**/*.test.ts'],
      // config.ts turns the environment into settings; everyone else is given those.
      rules: { 'node/no-process-env': 'error' },
    },
    {
      // Responses of a server under test arrive as `any`, and asserting on them is what a test does.
      files: ['**/*.test.ts', 'packages/*/test/**/*.ts'],
      rules: { ...untyped, 'typescript/no-non-null-assertion': 'off' },
    },
    {
      // Waiting for what a page is to show asserts it, and after each test its suite asserts that no page complained.
      files: ['packages/web/test/**'],
      rules: { 'vitest/expect-expect': 'off' },
    },
    { files: ['**/*.mjs'], rules: untyped },
    {
      // Programs that a person runs and reads.
      files: ['scripts/**', 'packages/{bench,cli}/src/**', 'packages/server/src/main.ts'],
      rules: { 'no-console': 'off' },
    },
    {
      files: ['packages/web/src/**'],
      plugins: ['eslint', 'typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      env: { browser: true },
      rules: {
        'react/react-in-jsx-scope': 'off', // the compiler does it
        'react/rules-of-hooks': 'error',
        'react/exhaustive-deps': 'error',
        'jsx-a11y/no-noninteractive-tabindex': 'off', // what scrolls must be reached by keyboard
        'jsx-a11y/prefer-tag-over-role': 'off', // the tag it asks for is for other things, or comes with a look of its own
      },
    },
    {
      // The tools that load these look for a default export.
      files: [
        '*.config.ts',
        'packages/*/*.config.ts',
        'scripts/import-rules-plugin.ts',
        'scripts/name-rules-plugin.ts',
        'scripts/summary-reporter.ts',
        'scripts/mutants/reached-reporter.ts',
        'packages/testkit/src/global-setup.ts',
      ],
      rules: { 'import/no-default-export': 'off' },
    },
  ],
} satisfies OxlintConfig;
