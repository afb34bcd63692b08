/** Pipelines that scan this project and send its reports, shortened from the recipes of the documentation. */

export interface RecipeFacts {
  readonly origin: string;
  /** The address and digest of the CLI; null while they are unknown. */
  readonly program: { readonly url: string; readonly sha256: string } | null;
}

export const recipeKinds = [
  { id: 'github', label: 'GitHub Actions', file: '.github/workflows/security.yml' },
  { id: 'gitlab', label: 'GitLab CI', file: '.gitlab-ci.yml' },
] as const;
export type RecipeKind = (typeof recipeKinds)[number]['id'];

export function recipeOf(kind: RecipeKind, facts: RecipeFacts): string {
  return kind === 'github' ? github(facts) : gitlab(facts);
}

const unknown = { url: 'ADDRESS_FROM_THE_INSTALL_PAGE', sha256: 'DIGEST_FROM_THE_INSTALL_PAGE' };

function github({ origin, program }: RecipeFacts): string {
  const { url, sha256 } = program ?? unknown;
  return `name: security
on:
  push:
    branches: [main]
  pull_request:
permissions:
  contents: read
jobs:
  svc:
    runs-on: ubuntu-latest
    env:
      CLI_URL: ${url}
      CLI_SHA256: '${sha256}'
      SVC_API_BASE_URL: ${origin}
      SVC_DEVICE_TOKEN: \${{ secrets.SVC_DEVICE_TOKEN }}
      SVC_KEYSTORE: file
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 24
      - name: Install svc
        run: |
          mkdir -p "$RUNNER_TEMP/bin"
          curl --fail --silent --show-error --location --output "$RUNNER_TEMP/bin/svc" "$CLI_URL"
          echo "$CLI_SHA256  $RUNNER_TEMP/bin/svc" | sha256sum --check
          chmod 755 "$RUNNER_TEMP/bin/svc"
          echo "$RUNNER_TEMP/bin" >> "$GITHUB_PATH"
      - name: Scan
        run: svc scan . \${SVC_DEVICE_TOKEN:+--fail-on high}
`;
}

function gitlab({ origin, program }: RecipeFacts): string {
  const { url, sha256 } = program ?? unknown;
  return `svc:
  image: node:24
  stage: test
  variables:
    CLI_URL: ${url}
    CLI_SHA256: '${sha256}'
    SVC_API_BASE_URL: ${origin}
    SVC_KEYSTORE: file
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  script:
    - tools=$(mktemp -d)
    - curl --fail --silent --show-error --location --output "$tools/svc" "$CLI_URL"
    - echo "$CLI_SHA256  $tools/svc" | sha256sum --check
    - chmod 755 "$tools/svc"
    - export PATH="$tools:$PATH"
    - svc scan . \${SVC_DEVICE_TOKEN:+--fail-on high}
`;
}

/** Commands that print the token of a new device, which belongs to the pipeline alone. */
export function tokenCommands(origin: string): string {
  return `export SVC_HOME=$(mktemp -d) SVC_KEYSTORE=file
SVC_API_BASE_URL=${origin} svc login
cat "$SVC_HOME"/config/credentials/*
rm -r "$SVC_HOME"; unset SVC_HOME SVC_KEYSTORE`;
}
