/**
 * The texts about each kind of secret: what anyone who reads it can do, where to revoke it, and how certain its format is.
 * The kinds are those of the search for secrets in @svc/report.
 */
import type { Severity } from '@svc/contract';

export interface SecretKind {
  /** The name as within a sentence. */
  readonly label: string;
  readonly severity: Severity;
  /** No other published format looks like it, so only a made-up value would be a false positive. */
  readonly isDistinct: boolean;
  /** What anyone who has the secret can do. */
  readonly opens: string;
  /** How or where to revoke the secret and create a new one. */
  readonly revoke: string;
}

type Row = readonly [kind: string, label: string, severity: Severity, opens: string, revoke: string];

const CONSOLE = 'in the settings of the account that it belongs to';

const distinct: readonly Row[] = [
  [
    'private-key',
    'private key',
    'critical',
    'impersonate its owner, decrypt what is encrypted for it and sign with it',
    'by creating a new key pair, removing the public key from every place that trusts it, and revoking its certificates',
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
    'identify the account and user, and act as that user if they also have the secret key',
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
    'on GitHub, under Settings, Developer settings, or in the settings of the app',
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

/** What a secret gives access to, for kinds without their own text. */
const classes = {
  cloud: ['critical', 'read and change what the account runs and stores'],
  code: ['high', 'read and change repositories, builds or packages'],
  data: ['high', 'read and change the data in the account'],
  mail: ['high', 'send messages in the name of the account'],
  models: ['high', 'use the models at the expense of the account'],
  money: ['high', 'read payments and customers, and move money unless it is a test key'],
  network: ['high', 'change the network or the servers in the account'],
  secrets: ['critical', 'read stored secrets and passwords'],
  session: ['high', 'act as the user or the service that it was issued to'],
  usage: ['medium', 'use the service at the expense of the account'],
  webhook: ['medium', 'post messages into the channel'],
} as const satisfies Record<string, readonly [severity: Severity, opens: string]>;

type ShortRow = readonly [kind: string, label: string, opens: keyof typeof classes, revokeAt: string];

/** Kinds of secrets that are revoked in the settings of a service. */
const inSettings: readonly ShortRow[] = [
  ['1password-key', '1Password secret key', 'secrets', '1Password'],
  ['adobe-secret', 'Adobe client secret', 'data', 'the Adobe developer console'],
  ['airtable-token', 'Airtable token', 'data', 'Airtable'],
  ['alibaba-key-id', 'Alibaba Cloud access key id', 'cloud', 'the Alibaba Cloud console'],
  ['artifactory-key', 'Artifactory key', 'code', 'the profile of the Artifactory user'],
  ['atlassian-token', 'Atlassian token', 'data', 'the Atlassian account'],
  ['authress-key', 'Authress access key', 'session', 'Authress'],
  ['aws-bedrock-key', 'AWS Bedrock key', 'models', 'IAM'],
  ['azure-client-secret', 'Azure client secret', 'cloud', 'Microsoft Entra ID'],
  ['azure-key', 'Azure access key', 'cloud', 'the Azure portal'],
  [
    'azure-signature',
    'Azure shared access signature',
    'data',
    'the Azure portal, by rotating the key that signed it',
  ],
  ['beamer-token', 'Beamer token', 'data', 'Beamer'],
  ['clickhouse-key', 'ClickHouse Cloud key', 'cloud', 'the ClickHouse Cloud console'],
  ['clojars-token', 'Clojars token', 'code', 'Clojars'],
  ['contentful-token', 'Contentful token', 'data', 'Contentful'],
  ['defined-networking-token', 'Defined Networking token', 'network', 'Defined Networking'],
  ['digitalocean-token', 'DigitalOcean token', 'cloud', 'the DigitalOcean control panel'],
  ['discord-webhook', 'Discord webhook', 'webhook', 'the integrations of the Discord channel'],
  ['doppler-token', 'Doppler token', 'secrets', 'Doppler'],
  ['dropbox-token', 'Dropbox token', 'data', 'the Dropbox app console'],
  ['duffel-token', 'Duffel token', 'money', 'the Duffel dashboard'],
  ['dynatrace-token', 'Dynatrace token', 'data', 'Dynatrace'],
  ['easypost-key', 'EasyPost key', 'money', 'the EasyPost dashboard'],
  ['facebook-token', 'Facebook page token', 'data', 'the Meta app dashboard'],
  ['flutterwave-key', 'Flutterwave key', 'money', 'the Flutterwave dashboard'],
  ['fly-token', 'Fly.io token', 'cloud', 'Fly.io'],
  ['frameio-token', 'Frame.io token', 'data', 'Frame.io'],
  ['freemius-key', 'Freemius key', 'money', 'the Freemius dashboard'],
  ['gitlab-session', 'GitLab session cookie', 'session', 'GitLab, by signing the session out'],
  ['gocardless-token', 'GoCardless token', 'money', 'the GoCardless dashboard'],
  ['google-api-key', 'Google API key', 'usage', 'the Google Cloud console'],
  ['google-oauth-secret', 'Google OAuth client secret', 'session', 'the Google Cloud console'],
  [
    'google-oauth-token',
    'Google OAuth access token',
    'session',
    'the Google account, under third-party access',
  ],
  ['harness-key', 'Harness key', 'code', 'Harness'],
  ['heroku-key', 'Heroku key', 'cloud', 'the Heroku account'],
  ['infracost-key', 'Infracost key', 'usage', 'Infracost'],
  ['intra42-secret', '42 intra client secret', 'session', 'the 42 intranet'],
  ['json-web-token', 'JSON Web Token', 'session', 'the service that issued it'],
  ['lob-key', 'Lob key', 'mail', 'the Lob dashboard'],
  ['mailchimp-key', 'Mailchimp key', 'mail', 'Mailchimp'],
  ['mailgun-key', 'Mailgun key', 'mail', 'Mailgun'],
  ['mapbox-token', 'Mapbox token', 'usage', 'Mapbox'],
  ['maxmind-key', 'MaxMind license key', 'usage', 'the MaxMind account'],
  ['new-relic-key', 'New Relic key', 'data', 'New Relic'],
  ['nvidia-key', 'NVIDIA key', 'models', 'the NVIDIA developer account'],
  ['octopus-key', 'Octopus Deploy key', 'code', 'Octopus Deploy'],
  ['openrouter-key', 'OpenRouter key', 'models', 'OpenRouter'],
  ['openshift-token', 'OpenShift token', 'cloud', 'OpenShift'],
  ['perplexity-key', 'Perplexity key', 'models', 'Perplexity'],
  ['plaid-token', 'Plaid access token', 'money', 'Plaid'],
  ['planetscale-token', 'PlanetScale token', 'data', 'PlanetScale'],
  ['postman-key', 'Postman key', 'data', 'Postman'],
  ['prefect-token', 'Prefect token', 'code', 'Prefect'],
  ['pulumi-token', 'Pulumi token', 'cloud', 'Pulumi Cloud'],
  ['pypi-token', 'PyPI token', 'code', 'PyPI'],
  ['readme-token', 'ReadMe token', 'data', 'ReadMe'],
  ['replicate-token', 'Replicate token', 'models', 'Replicate'],
  ['rubygems-token', 'RubyGems token', 'code', 'RubyGems'],
  ['scalingo-token', 'Scalingo token', 'cloud', 'Scalingo'],
  ['sendinblue-key', 'Brevo key', 'mail', 'Brevo'],
  ['sentry-token', 'Sentry token', 'data', 'Sentry'],
  ['settlemint-token', 'SettleMint token', 'network', 'SettleMint'],
  ['shippo-token', 'Shippo token', 'money', 'Shippo'],
  ['sidekiq-key', 'Sidekiq license key', 'code', 'the Sidekiq account'],
  ['sonar-token', 'Sonar token', 'code', 'SonarQube or SonarCloud'],
  ['sourcegraph-token', 'Sourcegraph token', 'code', 'Sourcegraph'],
  ['square-token', 'Square token', 'money', 'the Square developer dashboard'],
  ['supabase-token', 'Supabase key', 'data', 'the Supabase dashboard'],
  ['teams-webhook', 'Microsoft Teams webhook', 'webhook', 'the connectors of the Teams channel'],
  ['telegram-token', 'Telegram bot token', 'mail', 'Telegram, through BotFather'],
  ['terraform-token', 'Terraform Cloud token', 'cloud', 'HCP Terraform'],
  ['twilio-key', 'Twilio key', 'mail', 'the Twilio console'],
  ['typeform-token', 'Typeform token', 'data', 'Typeform'],
  ['xai-key', 'xAI key', 'models', 'the xAI console'],
  ['yandex-key', 'Yandex Cloud key', 'cloud', 'the Yandex Cloud console'],
  ['yandex-token', 'Yandex Cloud token', 'cloud', 'the Yandex Cloud console'],
];

const short: readonly Row[] = [
  ...inSettings.map(([kind, label, opens, revokeAt]): Row => [
    kind,
    label,
    ...classes[opens],
    `in ${revokeAt}`,
  ]),
  [
    'age-key',
    'age secret key',
    'critical',
    'decrypt every file that was encrypted for it',
    'by creating a new key and encrypting the files for the new key',
  ],
];

/** Formats that also match examples and worthless values. */
const likely: readonly Row[] = [
  [
    'database-credentials',
    'database password',
    'high',
    'read and change the database from any machine that can reach it',
    'by changing the password of the database user',
  ],
  [
    'url-password',
    'password in a URL',
    'high',
    'sign in to the server that the URL names',
    'by changing the password on that server',
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
    'use it to guess the names of roles and buckets in the account',
    'this is not possible, because an account id cannot be changed; check that no policy relies on the id alone',
  ],
];

function kindsOf(rows: readonly Row[], isDistinct: boolean): [string, SecretKind][] {
  return rows.map(([kind, label, severity, opens, revoke]) => [
    kind,
    { label, severity, isDistinct, opens, revoke },
  ]);
}

export const secretKinds: ReadonlyMap<string, SecretKind> = new Map([
  ...kindsOf([...distinct, ...short], true),
  ...kindsOf(likely, false),
]);

/** Also returns texts for a kind without an entry. */
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
