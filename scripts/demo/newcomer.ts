/**
 * The journey of a newcomer through the service: an account, a linked CLI, a scan, an exported file and a
 * share link.
 */
import path from 'node:path';
import { copyRepository } from './copy-repository.ts';
import { CommandLine } from './command-line.ts';
import { Person } from './person.ts';

const sampleFile = path.join(import.meta.dirname, 'sample.sarif');

export interface Newcomer {
  readonly person: Person;
  readonly svc: CommandLine;
  /** The folder that was scanned. */
  readonly repository: string;
  readonly reportUrl: string;
  readonly sharedUrl: string;
}

/** @param folder for everything that is stored. */
export async function comeAsNewcomer(url: string, folder: string, signal: AbortSignal): Promise<Newcomer> {
  const person = await Person.signUp(url);
  const repository = path.join(folder, 'repository');
  await copyRepository(repository);
  const svc = new CommandLine({ home: path.join(folder, 'svc'), url, folder: repository }, signal);
  await svc.login((linkId, matchCode) => person.approve(linkId, matchCode));
  await svc.run('init', '--workspace', 'Personal', '--name', 'svc');
  await svc.run('scan', '.', '--only', 'secrets', '--sarif', sampleFile);
  await svc.run('quota');
  await svc.run('export', '--output', 'report.html');
  const reportUrl = await person.newestReport();
  const sharedUrl = await person.share();
  return { person, svc, repository, reportUrl, sharedUrl };
}
