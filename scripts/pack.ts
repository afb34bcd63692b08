// `npm run pack`: writes the packages `svc-server` and `svc` to dist/packages, each as a folder and as the file that
// npm installs. The same sources on the same platform give the same bytes.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';
import { root } from './build-stamp.ts';
import { writeCliPackage, writeServerPackage } from './pack/packages.ts';

const output = path.join(root, 'dist/packages');

fs.rmSync(output, { recursive: true, force: true });
writeServerPackage(path.join(output, 'svc-server'));
await writeCliPackage(path.join(output, 'svc'));
const files = ['svc-server', 'svc'].map(pack);
const sums = files.map((file) => `${sha256(path.join(output, file))}  ${file}\n`);
fs.writeFileSync(path.join(output, 'SHA256SUMS'), sums.join(''));
for (const file of files) {
  const { size } = fs.statSync(path.join(output, file));
  console.log(`${path.relative(root, path.join(output, file))} (${Math.round(size / 1024)} KiB)`);
}

/** npm gives each file in the archive the same owner and time. */
function pack(name: string): string {
  const printed = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', output], {
    cwd: path.join(output, name),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  const [{ filename } = { filename: '' }] = JSON.parse(printed) as { filename: string }[];
  return filename;
}

function sha256(file: string): string {
  return createHash('sha256').update(fs.readFileSync(file)).digest('hex');
}
