/** The audit log: who did what and when, in a chain that reveals tampering. */
import type { AuditRecorder, RecorderPorts } from './recorder.ts';
import { createRecorder } from './recorder.ts';
import { createAuditReading, type AuditReading } from './reading-service.ts';

export { countSince } from './store.ts';
export type { AuditRecorder } from './recorder.ts';
export type { AuditReading } from './reading-service.ts';
export type { Head } from './chain.ts';
export { verifyAuditLog, type Verdict } from './verifier.ts';

export function createAudit(ports: RecorderPorts): AuditRecorder & AuditReading {
  return { ...createRecorder(ports), ...createAuditReading(ports) };
}
