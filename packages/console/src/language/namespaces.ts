/** Areas of the console, each with texts of its own that are loaded with it. */
export const NAMESPACES = [
  'shell',
  'member-sign-in',
  'overview',
  'data',
  'rules',
  'accounts',
  'sign-in',
  'activity',
  'project',
] as const;

export type Namespace = (typeof NAMESPACES)[number];
