/** Node's own SQLite, loaded when it is first needed and without the warning that some versions of Node print of it. */
export function loadSqlite() {
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = (warning: string | Error, ...rest: unknown[]) => {
    const said = warning instanceof Error ? warning.message : warning;
    if (!said.startsWith('SQLite is an experimental feature'))
      (emitWarning as (...given: unknown[]) => void)(warning, ...rest);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
