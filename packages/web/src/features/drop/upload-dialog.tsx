/** Shows what a dropped log contains, asks for its project, and uploads its report once the user allows it. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { LogSummary } from '@svc/report/making/read-log';
import type { RejectedLog } from '@svc/report/making/rejected-log';
import { useUser } from '../auth/session.ts';
import { ask, query } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { DroppedLog } from './dropped-log.ts';
import { LogFacts } from './log-facts.tsx';
import { ProjectChoice } from './project-choice.tsx';
import { randomHex } from './upload-link.ts';
import { UploadLinks } from './upload-links.ts';
import type { UploadPlace } from './upload-place.ts';
import { uploadLog, type UploadTarget } from './upload.ts';

export interface UploadDialogProps {
  readonly file: File;
  readonly place: UploadPlace;
  readonly onClose: () => void;
}

export function UploadDialog({ file, place, onClose }: UploadDialogProps) {
  const { log, read } = useRead(file);
  return (
    <Dialog isOpen onClose={onClose} title="Create report from a SARIF file">
      {read === undefined || log === undefined ? (
        <Waiting what={file.name} />
      ) : 'message' in read ? (
        <Rejected {...read} />
      ) : (
        <Upload log={log} summary={read} place={place} />
      )}
    </Dialog>
  );
}

interface Read {
  readonly log?: DroppedLog;
  readonly read?: LogSummary | RejectedLog;
}

function useRead(file: File): Read {
  const [state, setState] = useState<Read>({});
  useEffect(() => {
    const log = new DroppedLog();
    log.read(file).then(
      (read) => setState({ log, read }),
      (error: unknown) => setState({ log, read: unreadable(file, error) }),
    );
    return () => log.close();
  }, [file]);
  return state;
}

function unreadable({ name }: File, error: unknown): RejectedLog {
  const hint = error instanceof Error ? error.message : '';
  return { message: `${name} can’t be read.`, details: [], hint };
}

function Rejected({ message, details, hint }: RejectedLog) {
  return (
    <Notice tone="danger" title={message}>
      {[...details, hint].map((line) => (
        <p key={line}>{line}</p>
      ))}
    </Notice>
  );
}

interface UploadProps {
  readonly log: DroppedLog;
  readonly summary: LogSummary;
  readonly place: UploadPlace;
}

function Upload({ log, summary, place }: UploadProps) {
  const user = useUser();
  const queries = useQueryClient();
  const router = useRouter();
  const { projects } = useSuspenseQuery(query('listProjects')).data;
  const { workspaces } = useSuspenseQuery(query('listWorkspaces')).data;
  const bindings = useRef(new Map<string, string>());
  const links = useRef<UploadLinks>(null);
  useEffect(() => {
    const own = new UploadLinks();
    links.current = own;
    return () => own.close();
  }, []);

  async function send(fields: Fields) {
    const { current } = links;
    if (!user || !current) return;
    const target = await targetOf(fields);
    const reportId = await uploadLog({
      log,
      link: await current.take(),
      userId: user.userId,
      target,
      signal: current.signal,
    });
    await queries.invalidateQueries({ refetchType: 'none' });
    await router.navigate({ to: '/reports/$id', params: { id: reportId } });
  }

  async function targetOf({ project = '', workspaceId = '', name = '' }: Fields): Promise<UploadTarget> {
    const known = projects.find(({ projectId }) => projectId === project);
    if (known) return { ...known, projectName: known.name };
    const projectName = name.trim();
    // The same binding returns the same project, so a failed upload is retried in the project that it created.
    const key = `${workspaceId} ${projectName}`;
    const bindingPublicId = bindings.current.get(key) ?? randomHex(16);
    bindings.current.set(key, bindingPublicId);
    const body = { workspaceId, name: projectName, bindingPublicId };
    const { projectId } = await ask('createProject', { body });
    return { workspaceId, projectId, projectName };
  }

  return (
    <Form onSend={send} messageFor={(error) => (error instanceof Error ? ownMessage(error) : undefined)}>
      <LogFacts summary={summary} />
      <ProjectChoice
        projects={projects}
        workspaces={workspaces}
        place={place}
        name={nameFrom(summary.name)}
      />
      <p className="text-quiet">
        Your browser gets permission to upload, not to read, for at most 15 minutes. The permission ends with
        this upload.
      </p>
      <div>
        <SubmitButton>Allow this browser to upload</SubmitButton>
      </div>
    </Form>
  );
}

/** The page's own errors have messages for the user. All other errors get theirs from `messageOf`. */
function ownMessage(error: Error): string {
  return error.name === 'Error' ? `${error.message} Nothing was uploaded.` : messageOf(error);
}

const ENDING = /\.(?:sarif|json)$/i;

function nameFrom(fileName: string): string {
  return [...fileName.replace(ENDING, '').replace(ENDING, '')].slice(0, 120).join('') || 'report';
}
