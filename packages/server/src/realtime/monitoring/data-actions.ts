import type { Principal } from '../../access/principal.ts';
import type { RequestSource } from '../../http/request-source.ts';

/** The actions of administrators on a database. Each is an event of the audit log with the same name. */
export type DataActionName =
  | 'data_changed'
  | 'data_deleted'
  | 'data_erased'
  | 'data_imported'
  | 'data_exported'
  | 'change_undone'
  | 'change_forgotten'
  | 'rules_published'
  | 'rules_rolled_back'
  | 'database_settings_changed';

/** The database, and the part of it, on which an action is taken. */
export interface DataSubject {
  readonly database: string;
  /** The path, such as `/rooms/lobby`. Of several paths, the deepest one that is at or above all of them. */
  readonly path?: string;
  /** Number of paths, or of children of an import that merges. */
  readonly count?: number;
  /** Number of bytes of JSON that were imported or exported. */
  readonly bytes?: number;
  /** The change by which the action can be undone. */
  readonly change?: number;
  /** The change that is undone or forgotten. */
  readonly ofChange?: number;
  readonly rulesVersion?: number;
  /** The version whose rules a rollback publishes again. */
  readonly ofRulesVersion?: number;
}

/** The members of a subject that are numbers. */
export const SUBJECT_NUMBERS = [
  'count',
  'bytes',
  'change',
  'ofChange',
  'rulesVersion',
  'ofRulesVersion',
] as const satisfies readonly (keyof DataSubject)[];

export interface DataAction {
  readonly name: DataActionName;
  readonly subject: DataSubject;
  /** How an import ended or worked, or the setting that changed. One of a few words. */
  readonly detail?: string;
}

/** Records what administrators do to databases. Implemented over the audit log. */
export interface DataActions {
  /** Records an action that has succeeded. Ignores principals that are not administrators. */
  record(identity: Principal, client: RequestSource, action: DataAction): void;
}
