/** Runs the built CLI visibly, with its own home folder. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const program = path.join(import.meta.dirname, '../../packages/cli/dist/svc.mjs');

export interface Place {
  readonly home: string;
  readonly url: string;
  /** The folder in which commands run. */
  readonly folder: string;
}

export class CommandLine {
  readonly #place: Place;
  readonly #signal: AbortSignal;

  /** @param signal ends the command that runs. */
  constructor(place: Place, signal: AbortSignal) {
    this.#place = place;
    this.#signal = signal;
  }

  /** Lines that set up another terminal for the same linked CLI. */
  get setUp(): string[] {
    const { home, url, folder } = this.#place;
    return [
      `cd ${quoted(folder)}`,
      `export SVC_HOME=${quoted(home)} SVC_API_BASE_URL=${url} SVC_KEYSTORE=file`,
      `alias svc="${quoted(process.execPath)} ${quoted(program)}"`,
    ];
  }

  /** @throws Error if the command ends with a code other than 0. */
  run(...words: readonly string[]): Promise<void> {
    return this.#start(words, () => undefined);
  }

  /** @param approve is called with the id of the device link and the code that the terminal shows. */
  async login(approve: (linkId: string, matchCode: string) => Promise<void>): Promise<void> {
    let printed = '';
    let approval: Promise<void> | undefined;
    await this.#start(['login', '--no-browser'], (text) => {
      printed += stripVTControlCharacters(text);
      const id = /\/link\/([0-9A-Za-z]{32})\b/.exec(printed)?.[1];
      const code = /\b([0-9A-Z]{4}-[0-9A-Z]{4})\b/.exec(printed)?.[1];
      if (id === undefined || code === undefined || approval) return undefined;
      approval = approve(id, code);
      return approval;
    });
  }

  /** @param see is called with the text on standard error. If its promise rejects, the command is ended. */
  async #start(words: readonly string[], see: (text: string) => Promise<void> | undefined): Promise<void> {
    const { home, url, folder } = this.#place;
    const shown = words.map((word) => (path.isAbsolute(word) ? path.basename(word) : word));
    console.log(`\n$ svc ${shown.join(' ')}`);
    const child = spawn(process.execPath, [program, ...words], {
      cwd: folder,
      env: {
        ...process.env,
        SVC_HOME: home,
        SVC_API_BASE_URL: url,
        SVC_KEYSTORE: 'file',
        SVC_DEVICE_TOKEN: '',
        ...(process.stdout.isTTY && process.env['NO_COLOR'] === undefined ? { FORCE_COLOR: '1' } : {}),
      },
      stdio: ['ignore', 'inherit', 'pipe'],
      signal: this.#signal,
    });
    let seeing: Promise<void> | undefined;
    child.stderr.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      const begun = see(chunk.toString());
      begun?.catch(() => child.kill());
      seeing ??= begun;
    });
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    });
    await seeing;
    if (code !== 0) throw new Error(`svc ${words.join(' ')} has ended with code ${String(code)}.`);
  }
}

function quoted(text: string): string {
  return /^[\w/.:@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
