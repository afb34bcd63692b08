/** Uploads: a report's body is declared, sent as bytes, and named when the report is finalized. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, matching, recordId, timestamp } from './schema.ts';

export const UploadIntentBody = closed(
  {
    sha256: matching(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256 in 64 hexadecimal characters', {
      description: 'Of the bytes to come.',
    }),
    byteLength: Type.Integer({ minimum: limits.uploadBytesMin, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { title: 'UploadIntent' },
);

export const UploadDeclared = closed(
  {
    uploadId: recordId('upl'),
    uploadUrl: Type.String({ description: 'Where to PUT the bytes.' }),
    maxBytes: Type.Integer({ minimum: limits.uploadBytesMin }),
    expiresAt: timestamp,
  },
  { title: 'UploadDeclared' },
);
export type UploadDeclared = Static<typeof UploadDeclared>;

export const UploadReceived = closed(
  { uploadId: recordId('upl'), received: Type.Literal(true), bytes: Type.Integer() },
  { title: 'UploadReceived' },
);
export type UploadReceived = Static<typeof UploadReceived>;
