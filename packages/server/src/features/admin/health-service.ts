/** The state of the service for its operator. None of it is about a person, a workspace or a report. */
import type { AdminHealth, ReadyChecks } from '@svc/contract';
import { isoTime, type Clock } from '#platform/clock';
import type { HealthRecord } from '#platform/metrics/health-record';
import type { FileSystemSize } from '#platform/metrics/metrics';

export interface AdminHealthPorts {
  readonly clock: Clock;
  readonly version: string;
  readonly healthRecord: HealthRecord;
  readonly checkDependencies: () => Promise<ReadyChecks>;
  /** The file system of the data folder. */
  readonly fileSystem: () => Promise<FileSystemSize>;
  readonly findLastBackup: () => Promise<string | null>;
  readonly requestsUnderWay: () => number;
  readonly openStreams: () => number;
  readonly streams: { readonly allMax: number };
  /** The version in the release manifest; null without a manifest that can be used. */
  readonly offeredRelease: () => Promise<string | null>;
}

export interface AdminHealthService {
  get(): Promise<AdminHealth>;
}

export function createAdminHealthService(ports: AdminHealthPorts): AdminHealthService {
  const { clock, version, healthRecord, streams } = ports;
  return {
    async get() {
      const [dependencies, disk, lastBackupAt, offeredRelease] = await Promise.all([
        ports.checkDependencies(),
        ports.fileSystem().catch(() => null),
        ports.findLastBackup(),
        ports.offeredRelease(),
      ]);
      return {
        at: isoTime(clock.now()),
        version,
        offeredRelease,
        lastBackupAt,
        dependencies,
        process: {
          startedAt: isoTime(healthRecord.startedAt),
          disk,
          requestsUnderWay: ports.requestsUnderWay(),
          streams: { open: ports.openStreams(), max: streams.allMax },
          queues: healthRecord.queues(),
          jobs: healthRecord.jobs().map(({ name, last }) => ({
            name,
            last: last && { at: isoTime(last.at), result: last.result, tookMs: last.tookMs },
          })),
          errors: healthRecord.errors(),
        },
      };
    },
  };
}
