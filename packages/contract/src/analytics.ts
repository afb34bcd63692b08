/** Product analytics: events in words from fixed lists, of which the service keeps how many there were in a day. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { ExportFormat } from './projections.ts';
import { closed, matching, text, time } from './schema.ts';
import { analyticsNames, analyticsSurfaces } from './words.ts';

const { analytics: bounds } = limits;

export type AnalyticsName = (typeof analyticsNames)[number];
export type AnalyticsSurface = (typeof analyticsSurfaces)[number];

const EventId = matching(/^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$/, 'must be a UUID', {
  description: 'A UUID, unique within the account; upper and lower case are the same.',
});
const Name = Type.Enum([...analyticsNames]);
const Surface = Type.Enum([...analyticsSurfaces]);
const heldId = Type.Optional(
  Type.String({ description: 'An id of what the caller holds. Checked, and not kept.' }),
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
          'Counted by itself when it is three numbers with dots between; any other counts as none.',
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
      description: 'Counted by this call: those that were not counted before.',
    }),
  },
  { title: 'AnalyticsAccepted' },
);

export const AnalyticsCount = closed(
  {
    day: Type.String({ format: 'date', description: 'In UTC, by when the service was told.' }),
    name: Name,
    surface: Type.Optional(Surface),
    format: Type.Optional(ExportFormat),
    clientVersion: Type.Optional(Type.String()),
    count: Type.Integer({ minimum: 1 }),
  },
  { title: 'AnalyticsCount' },
);
export type AnalyticsCount = Static<typeof AnalyticsCount>;

/** A parameter of an address is text. */
export const AnalyticsDays = matching(
  /^(?:[1-9]|[1-8][0-9]|90)$/,
  `must be a whole number from 1 to ${bounds.keptDays}`,
  {
    description: `How many days up to today, 1 to ${bounds.keptDays}; ${bounds.shownDaysDefault} unless given.`,
  },
);
