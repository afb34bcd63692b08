/** What reports contain about this machine. */
import os from 'node:os';
import type { Host } from '../store/local-report.ts';
import { version } from '../version.ts';

const families: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: 'macos', win32: 'windows' };

export function ownHost(): Host {
  return { osFamily: families[process.platform] ?? process.platform, arch: os.arch(), cliVersion: version };
}
