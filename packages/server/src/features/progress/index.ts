/** The progress of scans: events that devices send, and the streams in which people watch them. */
import type { Feature } from '#feature';
import { expiredEventsJob } from './expired-events.ts';
import { createIngestService, type IngestPorts } from './ingest-service.ts';
import { progressRoutes } from './routes.ts';
import { createStreamService, type StreamPorts, type StreamService } from './stream-service.ts';

export interface ProgressFeature extends Feature {
  /** Ends all streams and accepts no new ones, because the process is about to stop. */
  readonly endStreams: StreamService['endAll'];
  readonly openStreams: StreamService['count'];
}

export function createProgress(ports: IngestPorts & StreamPorts): ProgressFeature {
  const streams = createStreamService(ports);
  return {
    routes: progressRoutes(createIngestService(ports), streams),
    jobs: [expiredEventsJob(ports.database)],
    endStreams: streams.endAll,
    openStreams: streams.count,
  };
}
