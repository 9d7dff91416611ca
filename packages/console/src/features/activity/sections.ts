/** Sections of the page of activity, as they are in its address; the first is shown where none is named. */
export const SECTIONS = ['live', 'connections', 'queries', 'paths', 'server', 'audit'] as const;
export type Section = (typeof SECTIONS)[number];

/** Sections about one database, which the address names in a parameter. */
export const DATABASE_SECTIONS: readonly Section[] = ['live', 'connections', 'queries', 'paths'];
