/** The schema of every error response. */
import Type from 'typebox';
import { errorCodes } from './errors.ts';
import { closed } from './schema.ts';

export const ErrorEnvelopeSchema = closed(
  {
    error: closed({
      code: Type.Enum(errorCodes, { description: 'The code that clients branch on.' }),
      message: Type.String({ description: 'A message for people; its wording may change.' }),
      requestId: Type.String({ format: 'uuid' }),
      details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  },
  { title: 'Error' },
);
