/** What reports and device links say about this browser: neither its name nor the system that it runs on. */
import manifest from '../../../package.json' with { type: 'json' };

export const host = { osFamily: 'browser', arch: 'browser', cliVersion: manifest.version };
