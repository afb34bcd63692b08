/** Saves an export of a share. It is fetched, since the unlock token goes in a header and errors appear on the page. */
import { ConnectionError, fileAddress, shareSecretHeaders } from '@svc/client';
import type { ErrorEnvelope, ExportFormat } from '@svc/contract';
import { ApiError } from '../../lib/api.ts';
import { saveAs } from '../../lib/save-as.ts';

export interface SavedFile {
  readonly format: ExportFormat;
  readonly profile?: 'github';
}

export function addressOfFile(slug: string, { format, profile }: SavedFile): string {
  return fileAddress({}, 'exportShare', {
    params: { slug, format },
    ...(profile ? { query: { profile } } : {}),
  });
}

/** @throws ApiError, ConnectionError */
export async function saveFile(
  slug: string,
  shareUnlock: string | undefined,
  file: SavedFile,
): Promise<void> {
  const response = await fetchFile(addressOfFile(slug, file), shareUnlock);
  if (!response.ok) {
    const { error } = (await response.json()) as ErrorEnvelope;
    throw new ApiError({ ok: false, status: response.status, error, retryAfterMs: null });
  }
  const name = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1];
  saveAs(await response.blob(), name ?? 'report');
}

async function fetchFile(address: string, shareUnlock: string | undefined): Promise<Response> {
  try {
    return await fetch(address, { headers: shareSecretHeaders({ shareUnlock }) });
  } catch (cause) {
    throw new ConnectionError('Can’t reach the service.', { cause });
  }
}
