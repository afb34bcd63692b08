/** Settings that are valid but may still be wrong. */
import { limits } from '@svc/contract';
import semver from 'semver';
import { PlanTableSchema } from '#features/quota';
import { isLoopbackHost } from '#http/local-request';
import { systemClock } from '#platform/clock';
import { readOperatorFile } from '#platform/operator-file';
import { createReplacedFile } from '#platform/replaced-file';
import { ThrottlesSchema } from '#platform/throttle-budgets';
import type { Config } from '../../config.ts';
import { fault, ok, warning, type CheckResult } from './check.ts';

const NODE_TESTED = '>=24';
const HOPS_PLAUSIBLE_MAX = 3;

export function nodeFound(): CheckResult[] {
  const { version } = process;
  if (semver.satisfies(version, NODE_TESTED)) return [ok(`Node ${version} runs the service.`)];
  return [
    warning(
      `Node ${version} is not the version that the service is tested with: use node_modules/.bin/node.`,
    ),
  ];
}

/** @throws StartError when a file cannot be used. */
export async function operatorFilesFound(config: Config): Promise<CheckResult[]> {
  const { plansPath, throttlesPath, updateManifestPath } = config;
  const found: CheckResult[] = [];
  if (plansPath !== null) {
    readOperatorFile('PLANS_PATH', plansPath, PlanTableSchema);
    found.push(ok('PLANS_PATH can be used.'));
  }
  if (throttlesPath !== null) {
    readOperatorFile('THROTTLES_PATH', throttlesPath, ThrottlesSchema);
    found.push(ok('THROTTLES_PATH can be used.'));
  }
  if (updateManifestPath !== null) {
    const file = createReplacedFile(updateManifestPath, limits.release.manifestBytesMax, systemClock);
    const { problem } = await file.read();
    found.push(
      problem === undefined
        ? ok('UPDATE_MANIFEST_PATH can be used.')
        : fault(`UPDATE_MANIFEST_PATH: ${JSON.stringify(updateManifestPath)} cannot be used (${problem}).`),
    );
  }
  return found.length > 0 ? found : [ok('PLANS_PATH, THROTTLES_PATH and UPDATE_MANIFEST_PATH are not set.')];
}

/** The origin, further hosts and the proxies, beyond what the start warns about. */
export function addressesFound(config: Config): CheckResult[] {
  const { appBaseUrl, allowedHosts, host, trustedProxyHops: hops } = config;
  const found: CheckResult[] = [];
  if (appBaseUrl === null && !isLoopbackHost(host))
    found.push(
      warning(
        `APP_BASE_URL is not set, while the service listens on ${host}: links lead to localhost. Set it to the public origin.`,
      ),
    );
  if (appBaseUrl === null && allowedHosts.length > 0)
    found.push(
      warning(
        `APP_BASE_URL is not set, while ALLOWED_HOSTS names ${allowedHosts.join(', ')}: links lead to localhost. Set APP_BASE_URL to the public origin.`,
      ),
    );
  if (hops > 0 && appBaseUrl !== null && isLoopbackHost(new URL(appBaseUrl).host))
    found.push(
      warning(
        `TRUSTED_PROXY_HOPS is ${hops}, while APP_BASE_URL is on this machine: without a proxy, clients choose the address that rate limits count. Set it to 0, or APP_BASE_URL to the public origin.`,
      ),
    );
  if (hops > HOPS_PLAUSIBLE_MAX)
    found.push(
      warning(
        `TRUSTED_PROXY_HOPS is ${hops}. Set it to the number of proxies that are yours: with a larger number, clients can forge addresses.`,
      ),
    );
  return found.length > 0 ? found : [ok('APP_BASE_URL, ALLOWED_HOSTS and TRUSTED_PROXY_HOPS are plausible.')];
}
