/** The schema of every refusal. */
import Type from 'typebox';
import { errorCodes } from './errors.ts';
import { closed } from './schema.ts';

export const ErrorEnvelopeSchema = closed(
  {
    error: closed({
      code: Type.Enum(errorCodes, { description: 'What clients branch on.' }),
      message: Type.String({ description: 'For people; its words may change.' }),
      requestId: Type.String({ format: 'uuid' }),
      details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  },
  { title: 'Error' },
);
