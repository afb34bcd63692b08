/** The steps that install the CLI and link the machine, for one operating system. */
import type { ReactNode } from 'react';
import { Command, CopyButton } from '../../ui/copy.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Notice } from '../../ui/notice.tsx';
import { installCommands, loginCommand, type System } from './commands.ts';
import type { ProgramForSystem } from './programs.ts';

export interface InstallStepsProps {
  readonly system: System;
  /** The name of the system. */
  readonly label: string;
  readonly programs: readonly ProgramForSystem[];
}

export function InstallSteps({ system, label, programs }: InstallStepsProps) {
  const [first] = programs;
  if (!first) {
    return (
      <Notice>
        This service has no program for {label}. Ask its operator for <code>svc</code>.
      </Notice>
    );
  }
  return (
    <ol className="flex flex-col gap-8">
      <Step title="Check Node">
        <Command command="node --version" label="Command to check Node" />
        <p className="text-quiet">
          It must print v22.18 or later. If it doesn’t, install Node from{' '}
          <a href="https://nodejs.org" rel="noreferrer" className="text-accent-text underline">
            nodejs.org
          </a>
          .
        </p>
      </Step>
      <Step title="Download, verify and install">
        <p className="text-quiet">
          {system === 'win32' ? 'Run this in PowerShell. It' : 'This'} copies the program to {folders[system]}{' '}
          only if it has the digest below.
        </p>
        {programs.map((program) => (
          <Program
            key={program.url}
            system={system}
            program={program}
            name={[label, ...program.architectures].join(' ')}
          />
        ))}
        <p className="text-small text-quiet">
          The digest detects a damaged download. It comes from this service, so it can’t detect a compromised
          one.
        </p>
      </Step>
      <Step title="Add it to the PATH">
        <p className="text-quiet">
          {system === 'win32' ? (
            'This also makes svc available in new terminals.'
          ) : (
            <>
              Needed only if <code>svc --version</code> is not found. Add the line to{' '}
              <code>{system === 'darwin' ? '~/.zshrc' : '~/.bashrc'}</code>, so that new terminals find{' '}
              <code>svc</code>, too.
            </>
          )}
        </p>
        <Command command={installCommands(system, first).path} label="Command to add it to the PATH" />
      </Step>
      <Step title="Link this machine">
        <p className="text-quiet">
          The terminal and the page that opens must show the same code; approve it there.
        </p>
        <Command command={loginCommand(system, location.origin)} label="Command to link this machine" />
      </Step>
    </ol>
  );
}

const folders: Readonly<Record<System, ReactNode>> = {
  linux: <code>~/.local/bin</code>,
  darwin: <code>~/.local/bin</code>,
  win32: <code>%LOCALAPPDATA%\Programs\svc</code>,
};

function Step({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <li className="flex flex-col gap-2">
      <h2 className="text-lead font-strong">{title}</h2>
      {children}
    </li>
  );
}

interface ProgramProps {
  readonly system: System;
  readonly program: ProgramForSystem;
  /** The system and the architectures. */
  readonly name: string;
}

function Program({ system, program, name }: ProgramProps) {
  const { url, sha256, sizeBytes, architectures } = program;
  return (
    <div className="flex flex-col gap-2">
      {architectures.length === 0 ? null : <h3 className="font-strong">{name}</h3>}
      <Command
        command={installCommands(system, program).install}
        label={`Command to install it on ${name}`}
      />
      <Facts
        facts={[
          [
            'SHA-256',
            <span key="digest" className="flex flex-wrap items-center gap-x-2">
              <code>{sha256}</code>
              <CopyButton text={sha256} look="quiet" label={`Copy the digest for ${name}`} />
            </span>,
          ],
          [
            'File',
            <span key="file">
              <a href={url} rel="noreferrer" className="text-accent-text underline">
                {new URL(url).host === location.host ? 'svc.mjs' : url}
              </a>
              , {(sizeBytes / 1024 ** 2).toFixed(1)} MiB
            </span>,
          ],
        ]}
      />
    </div>
  );
}
