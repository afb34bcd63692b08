/**
 * The keys under which projects know their findings again. Each is made from the deployment's master key and the project's
 * id whenever it is needed, and kept nowhere: whoever has the database alone can hold no guess against what it knows of a
 * finding, nor one project's knowledge against another's.
 */
import { deriveKey } from './sealing.ts';

export interface ProjectKeys {
  ofFindings(projectId: string): Uint8Array;
}

export function createProjectKeys(masterKey: Uint8Array): ProjectKeys {
  const root = deriveKey(masterKey, 'svc keys of projects');
  return { ofFindings: (projectId) => deriveKey(root, `findings of ${projectId}`) };
}
