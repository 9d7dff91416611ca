import type { ProjectSettings } from './project-settings.ts';

/** The unit of ownership: accounts, databases, settings, keys. */
export interface Project {
  readonly id: string;
  /** Decimal digits, unique on this server. */
  readonly number: string;
  readonly settings: ProjectSettings;
}
