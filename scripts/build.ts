// `npm run build`: the server and the command line, or the one that is named.
import { buildCli } from './build-cli.ts';
import { buildServer } from './build-server.ts';

const builds: Readonly<Record<string, () => Promise<void>>> = { server: buildServer, cli: buildCli };

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(builds)) {
  const build = builds[name];
  if (!build) throw new Error(`There is no build of ${name}; there are: ${Object.keys(builds).join(', ')}.`);
  await build();
}
