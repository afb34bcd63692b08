/**
 * The keys by which projects recognize their findings. Each is derived from a kept key (kept-keys.ts) and the project's
 * id when it is needed, and not stored. So someone with only the database cannot check a guess of a finding, nor
 * compare the findings of two projects.
 */
import type { DeriveKey } from './kept-keys.ts';
import { deriveKey } from './sealing.ts';

export interface ProjectKeys {
  ofFindings(projectId: string): Uint8Array;
}

export function createProjectKeys(derive: DeriveKey): ProjectKeys {
  const root = derive('svc keys of projects');
  return { ofFindings: (projectId) => deriveKey(root, `findings of ${projectId}`) };
}
