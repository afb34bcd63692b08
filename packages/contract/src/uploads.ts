/** Uploads: a client declares a report body, sends its bytes, and names the upload when it finalizes the report. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { closed, matching, recordId, timestamp } from './schema.ts';

export const UploadIntentBody = closed(
  {
    sha256: matching(/^[0-9a-fA-F]{64}$/, 'must be a SHA-256 in 64 hexadecimal characters', {
      description: 'Hash of the bytes to be uploaded.',
    }),
    byteLength: Type.Integer({ minimum: limits.uploadBytesMin, maximum: Number.MAX_SAFE_INTEGER }),
  },
  { title: 'UploadIntent' },
);

export const UploadDeclared = closed(
  {
    uploadId: recordId('upl'),
    uploadUrl: Type.String({ description: 'The URL to PUT the bytes to.' }),
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
