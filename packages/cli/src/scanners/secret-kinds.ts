/**
 * What is said about each kind of secret: what whoever reads it can do, where it is made invalid, and how sure its format
 * makes one that it is real. The kinds are those of the search for secrets in @svc/report.
 */
import type { Severity } from '@svc/contract';

export interface SecretKind {
  /** As within a sentence. */
  readonly label: string;
  readonly severity: Severity;
  /** No published format of something else looks like it, so only being made up speaks against it. */
  readonly isDistinct: boolean;
  /** What it opens. */
  readonly opens: string;
  /** Where it is made invalid and made anew. */
  readonly revoke: string;
}

type Row = readonly [kind: string, label: string, severity: Severity, opens: string, revoke: string];

const CONSOLE = 'in the settings of the account that it belongs to';

const distinct: readonly Row[] = [
  [
    'private-key',
    'private key',
    'critical',
    'prove to be its owner, read what is encrypted for it and sign in its name',
    'by making a new key pair, removing the public key from every place that trusts it, and revoking its certificates',
  ],
  [
    'gcp-service-account-key',
    'Google Cloud service account key',
    'critical',
    'act in the project with all roles of the service account',
    'under IAM & Admin, Service Accounts, Keys',
  ],
  [
    'aws-access-key-id',
    'AWS access key id',
    'high',
    'name the account and user, and act as that user together with the secret key',
    'in IAM, under the security credentials of the user',
  ],
  [
    'aws-secret-access-key',
    'AWS secret access key',
    'critical',
    'act in the AWS account with all rights of the user',
    'in IAM, under the security credentials of the user',
  ],
  [
    'github-token',
    'GitHub token',
    'high',
    'read and change repositories within the scopes of the token',
    'on GitHub, under Settings, Developer settings, or those of the app',
  ],
  [
    'gitlab-token',
    'GitLab token',
    'high',
    'read and change projects within the scopes of the token',
    'on GitLab, under Access tokens',
  ],
  [
    'npm-token',
    'npm token',
    'high',
    'publish packages, or read private ones, as the account',
    'on npm, under Access Tokens',
  ],
  [
    'docker-token',
    'Docker Hub token',
    'high',
    'push and pull images as the account',
    'on Docker Hub, under Personal access tokens',
  ],
  [
    'stripe-key',
    'Stripe key',
    'high',
    'read customers and payments and move money, unless it is a test key',
    'in the Stripe dashboard, under Developers, API keys',
  ],
  [
    'shopify-key',
    'Shopify key',
    'high',
    'read and change the shop within the scopes of the app',
    'in the Shopify admin, under the app that it belongs to',
  ],
  [
    'sendgrid-key',
    'SendGrid key',
    'high',
    'send mail in the name of the sender',
    'in SendGrid, under Settings, API Keys',
  ],
  [
    'slack-token',
    'Slack token',
    'high',
    'read and write messages in the workspace',
    'on the page of the Slack app, under OAuth & Permissions',
  ],
  [
    'slack-webhook',
    'Slack webhook',
    'medium',
    'post messages into the channel',
    'on the page of the Slack app, under Incoming Webhooks',
  ],
  [
    'openai-key',
    'OpenAI key',
    'high',
    'use the models at the expense of the account and read its files',
    'on the OpenAI platform, under API keys',
  ],
  [
    'anthropic-key',
    'Anthropic key',
    'high',
    'use the models at the expense of the account',
    'in the Anthropic console, under API keys',
  ],
  [
    'groq-key',
    'Groq key',
    'high',
    'use the models at the expense of the account',
    'in the Groq console, under API Keys',
  ],
  [
    'huggingface-token',
    'Hugging Face token',
    'high',
    'read and change models and data sets of the account',
    'on Hugging Face, under Access Tokens',
  ],
  [
    'linear-key',
    'Linear key',
    'high',
    'read and change the issues of the workspace',
    'in Linear, under Settings, API',
  ],
  [
    'notion-token',
    'Notion token',
    'high',
    'read and change the pages that the integration sees',
    'in Notion, on the page of the integration',
  ],
  [
    '1password-token',
    '1Password service account token',
    'critical',
    'read every vault of the service account',
    'in 1Password, under Developer, Service Accounts',
  ],
  [
    'vault-token',
    'Vault token',
    'critical',
    'read secrets of the Vault server within its policies',
    'with `vault token revoke`',
  ],
  [
    'vercel-token',
    'Vercel token',
    'high',
    'change deployments and read their variables',
    'on Vercel, under Account Settings, Tokens',
  ],
  [
    'databricks-token',
    'Databricks token',
    'high',
    'read data and run jobs in the workspace',
    'in Databricks, under Settings, Developer, Access tokens',
  ],
  ['figma-token', 'Figma token', 'medium', 'read files of the account', 'in Figma, under Settings, Security'],
  [
    'cloudflare-token',
    'Cloudflare token',
    'high',
    'change zones and settings within the rights of the token',
    'in the Cloudflare dashboard, under API Tokens',
  ],
  [
    'grafana-token',
    'Grafana token',
    'high',
    'read dashboards and their data within the role of the token',
    'in Grafana, under Service accounts or Access policies',
  ],
  [
    'tailscale-key',
    'Tailscale key',
    'high',
    'add devices to the network or change its settings',
    'in the Tailscale admin console, under Keys',
  ],
  [
    'svc-device-token',
    'device token of this service',
    'high',
    'sync reports and read quotas as the account',
    'with `svc logout` on the device, or on the page of the account, under Devices',
  ],
];

/** Formats that also fit examples and values of no worth. */
const likely: readonly Row[] = [
  [
    'database-credentials',
    'database password',
    'high',
    'read and change the database, wherever it can be reached from',
    'by changing the password of the database user',
  ],
  [
    'basic-auth',
    'password in an address',
    'high',
    'sign in at the address',
    'by changing the password at that address',
  ],
  [
    'npm-auth-token',
    'npm registry token',
    'high',
    'read or publish packages in the registry',
    'in the settings of the registry',
  ],
  [
    'aws-account-id',
    'AWS account id',
    'low',
    'name the account in attempts to guess its roles and buckets',
    'not at all, for an id can not be changed; see that no policy trusts it alone',
  ],
];

function kindsOf(rows: readonly Row[], isDistinct: boolean): [string, SecretKind][] {
  return rows.map(([kind, label, severity, opens, revoke]) => [
    kind,
    { label, severity, isDistinct, opens, revoke },
  ]);
}

export const secretKinds: ReadonlyMap<string, SecretKind> = new Map([
  ...kindsOf(distinct, true),
  ...kindsOf(likely, false),
]);

/** Also for a kind that is found and not described here yet. */
export function secretKindOf(kind: string): SecretKind {
  return (
    secretKinds.get(kind) ?? {
      label: kind.replaceAll('-', ' '),
      severity: 'high',
      isDistinct: false,
      opens: 'act in the name of its owner',
      revoke: CONSOLE,
    }
  );
}
