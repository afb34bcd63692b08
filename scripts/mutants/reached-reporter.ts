// Writes the current test file to the folder of the faults, so that faults can record which file reached them.
import { appendFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';

export default class ReachedReporter implements Reporter {
  #folder = process.env['SVC_FAULTS'] ?? '';
  #beganAt = 0;

  onTestModuleQueued({ relativeModuleId }: TestModule) {
    writeFileSync(path.join(this.#folder, 'current'), relativeModuleId);
    this.#beganAt = performance.now();
  }

  onTestModuleEnd(module: TestModule) {
    const seconds = (performance.now() - this.#beganAt) / 1000;
    appendFileSync(path.join(this.#folder, 'seconds'), `${module.relativeModuleId} ${seconds.toFixed(1)}\n`);
    if (!module.ok()) appendFileSync(path.join(this.#folder, 'failed'), `${module.relativeModuleId}\n`);
  }
}
