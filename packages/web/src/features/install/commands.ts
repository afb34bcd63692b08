/**
 * The commands that install the CLI. Users copy each one as a whole. A command installs nothing unless the download has
 * the expected digest, and it never passes downloaded text to a shell.
 */

/** Operating systems, as Node names them. */
export type System = 'linux' | 'darwin' | 'win32';

export const systems: readonly { readonly id: System; readonly label: string }[] = [
  { id: 'linux', label: 'Linux' },
  { id: 'darwin', label: 'macOS' },
  { id: 'win32', label: 'Windows' },
];

export interface Download {
  readonly url: string;
  readonly sha256: string;
}

export interface InstallCommands {
  /** Downloads, verifies and installs. */
  readonly install: string;
  /** Makes the shell find `svc`. */
  readonly path: string;
}

const FILE = 'svc-download.mjs';

export function installCommands(system: System, download: Download): InstallCommands {
  if (system === 'win32') return forPowerShell(download);
  const verifier = system === 'linux' ? 'sha256sum' : 'shasum -a 256';
  return {
    install: [
      `curl -fsSL -o ${FILE} ${posixQuoted(download.url)} &&`,
      `  echo '${download.sha256}  ${FILE}' |`,
      `  ${verifier} -c &&`,
      '  mkdir -p ~/.local/bin &&',
      `  install -m 755 ${FILE} ~/.local/bin/svc &&`,
      `  rm ${FILE}`,
    ].join('\n'),
    path: 'export PATH="$HOME/.local/bin:$PATH"',
  };
}

/** Each command is one block. The first stops at an error; of separate lines, PowerShell would run the next one. */
function forPowerShell({ url, sha256 }: Download): InstallCommands {
  const folder = String.raw`  $folder = "$env:LOCALAPPDATA\Programs\svc"`;
  return {
    install: [
      '& {',
      "  $ErrorActionPreference = 'Stop'",
      `  $file = "$env:TEMP\\${FILE}"`,
      `  Invoke-WebRequest -UseBasicParsing -Uri ${powerShellQuoted(url)} -OutFile $file`,
      `  if ((Get-FileHash -Algorithm SHA256 $file).Hash -ne '${sha256}') { throw 'The digest differs.' }`,
      folder,
      '  New-Item -ItemType Directory -Force $folder | Out-Null',
      String.raw`  Move-Item -Force $file "$folder\svc.mjs"`,
      String.raw`  Set-Content -Encoding ascii "$folder\svc.cmd" '@node "%~dp0svc.mjs" %*'`,
      '}',
    ].join('\n'),
    path: [
      '& {',
      folder,
      "  $path = [Environment]::GetEnvironmentVariable('Path', 'User')",
      "  if (($path -split ';') -notcontains $folder) {",
      "    [Environment]::SetEnvironmentVariable('Path', \"$path;$folder\", 'User')",
      '  }',
      '  $env:Path += ";$folder"',
      '}',
    ].join('\n'),
  };
}

/** Links the machine to the service at this origin. */
export function loginCommand(system: System, origin: string): string {
  return system === 'win32'
    ? `$env:SVC_API_BASE_URL = ${powerShellQuoted(origin)}; svc login`
    : `SVC_API_BASE_URL=${origin} svc login`;
}

function posixQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** PowerShell also ends a string at a typographic quotation mark. A URL has none. */
function powerShellQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
