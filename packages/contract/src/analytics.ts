/**
 * Product analytics: events made of ids, times, versions and enum values. The service keeps only the number of events
 * of each day.
 */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { ExportFormat } from './projections.ts';
import { closed, matching, text, time } from './schema.ts';
import { analyticsNames, analyticsSurfaces } from './enums.ts';

const { analytics: bounds } = limits;

export type AnalyticsName = (typeof analyticsNames)[number];
export type AnalyticsSurface = (typeof analyticsSurfaces)[number];

const EventId = matching(/^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/, 'must be a UUID', {
  description: 'A UUID, unique within the account; case is ignored.',
});
const Name = Type.Enum([...analyticsNames]);
const Surface = Type.Enum([...analyticsSurfaces]);
const heldId = Type.Optional(
  Type.String({ description: 'The id of an object that the caller can access. Checked, and not stored.' }),
);

export const AnalyticsEvent = closed(
  {
    eventId: EventId,
    name: Name,
    occurredAt: time,
    workspaceId: heldId,
    projectId: heldId,
    reportId: heldId,
    format: Type.Optional(ExportFormat),
    surface: Type.Optional(Surface),
    clientVersion: Type.Optional(
      text(1, bounds.versionLengthMax, {
        description:
          'Counted separately if it is three numbers separated by dots; any other value is ignored.',
      }),
    ),
  },
  { title: 'AnalyticsEvent' },
);
export type AnalyticsEvent = Static<typeof AnalyticsEvent>;

export const AnalyticsBody = closed(
  { events: Type.Array(AnalyticsEvent, { minItems: bounds.eventsMin, maxItems: bounds.eventsMax }) },
  { title: 'Analytics' },
);

export const AnalyticsAccepted = closed(
  {
    accepted: Type.Integer({
      minimum: 0,
      description: 'The number of events that this call counted for the first time.',
    }),
  },
  { title: 'AnalyticsAccepted' },
);

export const AnalyticsCount = closed(
  {
    day: Type.String({
      format: 'date',
      description: 'The day in UTC on which the service received the events.',
    }),
    name: Name,
    surface: Type.Optional(Surface),
    format: Type.Optional(ExportFormat),
    clientVersion: Type.Optional(Type.String()),
    count: Type.Integer({ minimum: 1 }),
  },
  { title: 'AnalyticsCount' },
);
export type AnalyticsCount = Static<typeof AnalyticsCount>;

/** A string, since it is a query parameter. */
export const AnalyticsDays = matching(
  /^(?:[1-9]|[1-8][0-9]|90)$/,
  `must be a whole number from 1 to ${bounds.keptDays}`,
  {
    description: `How many days up to today, 1 to ${bounds.keptDays}; the default is ${bounds.shownDaysDefault}.`,
  },
);
