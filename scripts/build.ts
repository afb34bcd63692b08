// `npm run build`: builds the server, the pages and the CLI, or only the named one.

/** Each build is loaded when it is needed, without the dependencies of the others. */
const builds: Readonly<Record<string, () => Promise<void>>> = {
  server: async () => (await import('./build-server.ts')).buildServer(),
  web: async () => (await import('./build-web.ts')).buildWeb(),
  cli: async () => (await import('./build-cli.ts')).buildCli(),
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(builds)) {
  const build = builds[name];
  if (!build) throw new Error(`No build is named ${name}. Builds: ${Object.keys(builds).join(', ')}.`);
  await build();
}
