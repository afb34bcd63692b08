/** The databases that the schema supports. */
export type DialectName = 'sqlite' | 'postgres';
