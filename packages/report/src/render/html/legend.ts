/** What the severities and verifications of the report mean. */
import { severities, verifications } from '@svc/contract/enums';
import { enumLabels, severityMeanings, verificationMeanings } from '../../reading/labels.ts';
import { severityBadge } from './signs.ts';
import { markup } from './template.ts';

export const legendHtml = markup`<section aria-labelledby="legend"><h2 id="legend">How to read this report</h2>
<dl class="legend">${severities.map(
  (severity) => markup`<div><dt>${severityBadge(severity)}</dt><dd>${severityMeanings[severity]}</dd></div>
`,
)}${verifications.map(
  (verification) =>
    markup`<div><dt>${enumLabels[verification]}</dt><dd>${verificationMeanings[verification]}</dd></div>
`,
)}</dl>
</section>
`;
