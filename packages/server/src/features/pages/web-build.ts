/** The build of the pages: which files each entry needs, and where they are. */
import * as fs from 'node:fs';
import path from 'node:path';
import { StartError } from '#start-error';

/** The pages of the product, and the page of a share for its viewers. */
export type Entry = 'app' | 'share';

/** The pages that people open most, whose modules the document names so that they load with the entry. */
const pageFiles = {
  home: ['src/pages/home.tsx'],
  project: ['src/pages/project.tsx'],
  report: ['src/pages/report.tsx'],
  projects: ['src/pages/workspace-projects.tsx'],
  findings: ['src/pages/workspace-findings.tsx'],
  // The address of a finding leads to a report.
  finding: ['src/pages/project-finding.tsx', 'src/pages/report.tsx'],
} as const;
export type PageName = keyof typeof pageFiles;

export interface EntryFiles {
  /** Addresses on this origin. */
  readonly script: string;
  readonly styles: readonly string[];
  /** Modules that the script loads immediately. */
  readonly preloads: readonly string[];
}

export interface WebBuild {
  /** The folder of files whose content never changes under their name. */
  readonly assetsFolder: string;
  readonly entries: Readonly<Record<Entry, EntryFiles>>;
  /** Address of the script that runs while the files of an entry load. */
  readonly early: string;
  /** The modules that each page in `pageFiles` loads besides those of its entry. */
  readonly pages?: Readonly<Record<PageName, readonly string[]>>;
  /** Address of the icon that browsers show in their tabs. */
  readonly icon: string;
}

interface Chunk {
  readonly file: string;
  readonly css?: readonly string[];
  readonly imports?: readonly string[];
}

/** @throws StartError when the pages were not built. */
export function readWebBuild(folder: string): WebBuild {
  const file = path.join(folder, 'manifest.json');
  let manifest: Readonly<Record<string, Chunk>>;
  try {
    manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, Chunk>;
  } catch (error) {
    throw new StartError('The pages are not built. Run `npm run build`.', { cause: error });
  }
  const app = filesOf(manifest, 'src/app.tsx');
  const ofPage = (name: PageName) => {
    const files = pageFiles[name].map((page) => filesOf(manifest, page));
    const modules = new Set(files.flatMap(({ script, preloads }) => [script, ...preloads]));
    return [...modules].filter((module) => module !== app.script && !app.preloads.includes(module));
  };
  return {
    assetsFolder: path.join(folder, 'assets'),
    entries: { app, share: filesOf(manifest, 'src/share.tsx') },
    early: addressOf(manifest['src/early.ts']?.file ?? ''),
    pages: {
      home: ofPage('home'),
      project: ofPage('project'),
      report: ofPage('report'),
      projects: ofPage('projects'),
      findings: ofPage('findings'),
      finding: ofPage('finding'),
    },
    icon: addressOf(manifest['src/icon.svg']?.file ?? ''),
  };
}

function filesOf(manifest: Readonly<Record<string, Chunk>>, entry: string): EntryFiles {
  const seen = new Set<string>();
  const styles = new Set<string>();
  function visit(name: string): void {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    chunk.imports?.forEach(visit);
    chunk.css?.forEach((style) => styles.add(addressOf(style)));
  }
  visit(entry);
  const files = [...seen].map((name) => addressOf(manifest[name]?.file ?? ''));
  const script = addressOf(manifest[entry]?.file ?? '');
  return { script, styles: [...styles], preloads: files.filter((file) => file !== script) };
}

function addressOf(file: string): string {
  return `/${file}`;
}
