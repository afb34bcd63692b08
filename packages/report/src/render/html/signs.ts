/** A shape for each severity and for each state of an area, beside its label: colour alone carries no meaning. */
import type { ReportProjection, Severity } from '@svc/contract';
import { labelOf } from '../../reading/labels.ts';
import { constantMarkup, markup, type Html } from './template.ts';

const shape = (name: string, content: string) =>
  constantMarkup(`<svg class="sign ${name}" viewBox="0 0 12 12" aria-hidden="true">${content}</svg>`);
const ring = '<circle class="ring" cx="6" cy="6" r="4.25"/>';
const disc = '<circle cx="6" cy="6" r="5"/>';

const severitySigns: Readonly<Record<Severity, Html>> = {
  critical: shape('critical', '<path d="M6 0l6 6-6 6-6-6z"/>'),
  high: shape('high', '<path d="M6 .8L12 11.2H0z"/>'),
  medium: shape('medium', '<path d="M1.2 1.2h9.6v9.6H1.2z"/>'),
  low: shape('low', disc),
  info: shape('info', ring),
};

type AreaStatus = NonNullable<ReportProjection['coverageAreas']>[number]['status'];
const areaSigns: Readonly<Record<AreaStatus, Html>> = {
  covered: shape('area', disc),
  partial: shape('area', `${ring}<path d="M6 1.75a4.25 4.25 0 0 0 0 8.5z"/>`),
  not_covered: shape('area', ring),
};

const severityBadges = Object.fromEntries(
  Object.entries(severitySigns).map(([severity, sign]) => [
    severity,
    markup`<span class="badge">${sign}${labelOf(severity)}</span>`,
  ]),
) as Readonly<Record<Severity, Html>>;

export function severitySign(severity: Severity): Html {
  return severitySigns[severity];
}

export function severityBadge(severity: Severity): Html {
  return severityBadges[severity];
}

export function areaBadge(status: AreaStatus): Html {
  return markup`<span class="badge">${areaSigns[status]}${labelOf(status)}</span>`;
}
