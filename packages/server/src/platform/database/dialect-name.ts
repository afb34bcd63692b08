/** The databases that the schema is written for. */
export type DialectName = 'sqlite' | 'postgres';
