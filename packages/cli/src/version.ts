/** The version of the client, from its package. */
import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
