/**
 * The keys by which projects recognize their findings. Each is derived from a kept key (kept-keys.ts) and the project's
 * id when it is needed, and only kept in memory. So someone with only the database cannot check a guess of a finding, nor
 * compare the findings of two projects.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from './cache-limit.ts';
import type { DeriveKey } from './kept-keys.ts';
import { deriveKey } from './sealing.ts';

const KEPT_MAX = 1000;

export interface ProjectKeys {
  ofFindings(projectId: string): Uint8Array;
}

export function createProjectKeys(derive: DeriveKey): ProjectKeys {
  const root = derive('svc keys of projects');
  const kept = new LRUCache<string, Uint8Array>(atMost(KEPT_MAX));
  return {
    ofFindings(projectId) {
      const known = kept.get(projectId);
      if (known !== undefined) return known;
      const key = deriveKey(root, `findings of ${projectId}`);
      kept.set(projectId, key);
      return key;
    },
  };
}
