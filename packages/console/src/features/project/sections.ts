/** Sections of the page about a project, as they are in its address; the first is shown where none is named. */
export const SECTIONS = ['members', 'keys', 'service-accounts', 'databases', 'erase'] as const;
export type Section = (typeof SECTIONS)[number];
