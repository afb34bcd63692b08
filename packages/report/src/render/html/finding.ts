/** A finding as an article: the weakness, its impact, the evidence, and the fix. */
import type { ProjectedFinding } from '@svc/contract';
import { isWeak, ruleIn, shownTags, toolIn, WEAK_FACT } from '../../reading/tags.ts';
import { isWebAddress } from '../../reading/web-addresses.ts';
import { findingStatuses, severities, verifications } from '@svc/contract/enums';
import type { RenderContext } from '../context.ts';
import type { CodeWriter } from './code.ts';
import { evidenceHtml } from './evidence.ts';
import { linkHtml, proseHtml } from './prose.ts';
import { severityBadge } from './signs.ts';
import { constantMarkup, joined, markup, type Html } from './template.ts';
import { locationOf, enumLabels } from '../../reading/labels.ts';
import { moment } from './time.ts';

/** Returns parts: text beyond Latin-1 makes every string that contains it several times slower to write. */
export function findingParts(
  finding: ProjectedFinding,
  context: RenderContext,
  code: CodeWriter,
): readonly (Html | undefined)[] {
  const { id, title, affected } = finding;
  const location = locationOf(affected);
  return [
    markup`<article class="finding" id="${id}" aria-labelledby="${id}-title">
<header><h3 id="${id}-title" dir="auto">${title}</h3>${location === '' ? undefined : markup`<p class="location"><code>${location}</code></p>`}</header>
`,
    markup`${marginHtml(finding, context)}
<div class="body">`,
    ...bodyParts(finding, code),
    end,
  ];
}

const end = constantMarkup(`</div>
</article>
`);

/** The facts beside the text. Only screen readers read the labels of self-explanatory facts. */
function marginHtml(finding: ProjectedFinding, { baseline }: RenderContext): Html {
  const { id, severity, verification, status, category, affected, taxonomy = [], tags = [] } = finding;
  const where = locationOf(affected);
  const tool = toolIn(tags);
  const rule = ruleIn(tags);
  const facts = [
    severityFacts[severity],
    fact('Number', markup`<a href="#${id}"><bdi>${id}</bdi></a>`, 'withoutFocus'),
    verificationFacts[verification],
    status && statusFacts[status],
    baseline?.newFindingIds.has(id) ? fact('Compared', markup`New`, 'withoutFocus') : undefined,
    fact('Category', markup`<bdi>${category.replaceAll('_', ' ')}</bdi>`),
    tool === undefined ? undefined : fact('Tool', markup`<bdi>${tool}</bdi>`),
    rule === undefined ? undefined : fact('Rule', markup`<code>${rule}</code>`),
    fact('Component', markup`<bdi>${affected.component}</bdi>`),
    affected.route && affected.route !== where
      ? fact('Route', markup`<code>${affected.route}</code>`)
      : undefined,
    affected.origin && affected.origin !== where
      ? fact('Origin', markup`<code>${affected.origin}</code>`)
      : undefined,
    fact('Taxonomy', listed(taxonomy)),
    isWeak(tags) ? fact(WEAK_FACT[0], markup`${WEAK_FACT[1]}`) : undefined,
    fact('Tags', listed(shownTags(tags))),
    finding.firstSeenAt === undefined ? undefined : fact('First seen', moment(finding.firstSeenAt)),
    finding.fixedAt === undefined ? undefined : fact('Fixed', moment(finding.fixedAt)),
  ];
  return markup`<dl class="margin">${facts}</dl>`;
}

function fact(name: string, value: Html | undefined, look?: 'withoutFocus'): Html | undefined {
  if (!value) return undefined;
  return look === undefined
    ? markup`<div><dt>${name}</dt><dd>${value}</dd></div>`
    : markup`<div class="plain"><dt class="withoutFocus">${name}</dt><dd>${value}</dd></div>`;
}

/** Facts with few values, created once. */
const severityFacts = factsOf(severities, (severity) =>
  fact('Severity', severityBadge(severity), 'withoutFocus'),
);
const verificationFacts = factsOf(verifications, (word) =>
  fact('Verification', markup`${enumLabels[word]}`, 'withoutFocus'),
);
const statusFacts = factsOf(findingStatuses, (word) =>
  fact('Status', markup`${enumLabels[word]}`, 'withoutFocus'),
);

function factsOf<Name extends string>(
  names: readonly Name[],
  make: (name: Name) => Html | undefined,
): Readonly<Record<Name, Html>> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Html>;
}

function listed(texts: readonly string[]): Html | undefined {
  return joined(
    ', ',
    texts.map((text) => markup`<bdi>${text}</bdi>`),
  );
}

function bodyParts(finding: ProjectedFinding, code: CodeWriter): (Html | undefined)[] {
  const { id, affected, evidence, corroboration = [], secretReferences = [], references = [] } = finding;
  const prose = (title: string, text: string | undefined) =>
    text ? markup`<h4>${title}</h4>${proseHtml(text, `${title.toLowerCase()} of ${id}`, code)}` : undefined;
  const known = (title: string, items: typeof evidence) =>
    items.length > 0
      ? markup`<h4>${title}</h4>${evidenceHtml(items, affected, `${id}, ${title.toLowerCase()}`, code)}`
      : undefined;
  return [
    markup`${proseHtml(finding.summary, `summary of ${id}`, code, 4)}`,
    prose('Impact', finding.impact),
    known('Evidence', evidence),
    known('Corroboration', corroboration),
    secretReferences.length > 0
      ? markup`<h4>Secrets found</h4><ul>${secretReferences.map(secretHtml)}</ul>`
      : undefined,
    prose('Reproduction', finding.reproduction),
    prose('Remediation', finding.remediation),
    prose('Verification plan', finding.verificationPlan),
    references.length > 0
      ? markup`<h4>References</h4><ul class="references">${references.map(referenceHtml)}</ul>`
      : undefined,
    finding.fixHistory?.length
      ? markup`<h4>History</h4><ol class="history">${finding.fixHistory.map(historyHtml)}</ol>`
      : undefined,
    finding.fingerprint === undefined
      ? undefined
      : markup`<p class="identity">Fingerprint <code class="digest">${finding.fingerprint}</code></p>`,
  ];
}

type Secret = NonNullable<ProjectedFinding['secretReferences']>[number];

function secretHtml({ label, kind, fingerprint, location }: Secret): Html {
  return markup`<li><bdi>${label}</bdi>, <bdi>${kind}</bdi>${location ? markup`, <code>${location}</code>` : undefined} <code class="digest quiet">${fingerprint}</code></li>`;
}

/** Web addresses are links; every other reference is text. */
function referenceHtml(reference: string): Html {
  return isWebAddress(reference)
    ? markup`<li>${linkHtml(reference)}</li>`
    : markup`<li dir="auto">${reference}</li>`;
}

type FixHistoryEntry = NonNullable<ProjectedFinding['fixHistory']>[number];

function historyHtml({ at, action, verified, changedFiles = [], note }: FixHistoryEntry): Html {
  const step = verified && action !== 'verified' ? `${enumLabels[action]}, verified` : enumLabels[action];
  const files = joined(
    ', ',
    changedFiles.map((file) => markup`<code>${file}</code>`),
  );
  return markup`<li>${moment(at)} · ${step}${files && markup` in ${files}`}${note ? markup` <p dir="auto">${note}</p>` : undefined}</li>`;
}
