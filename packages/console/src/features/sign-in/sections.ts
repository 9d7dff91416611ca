/** Sections of the settings, as they are in the address; the first is shown where none is named. */
export const SECTIONS = ['methods', 'domains', 'passwords', 'second-factor', 'mail', 'templates'] as const;
export type Section = (typeof SECTIONS)[number];
