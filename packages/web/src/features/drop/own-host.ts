/** What reports and device links say about this browser. It names neither the system nor the browser. */
import manifest from '../../../package.json' with { type: 'json' };

export const host = { osFamily: 'browser', arch: 'browser', cliVersion: manifest.version };
