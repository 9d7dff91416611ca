import type { AuditEventName } from './audit-events.ts';

/** What happened, to whom, by whom, from where. No secrets, no codes, no whole tokens. */
export interface AuditEvent {
  readonly event: AuditEventName;
  /** `null` for what concerns the server as a whole, or a project that there is not. */
  readonly projectId: string | null;
  /** The account that it is about; `null` when it is about none, or one that is not known. */
  readonly uid: string | null;
  /** Who did it: `app` for a client of the project, else the administrator's name. */
  readonly actor: string;
  /** The network address of who did it. */
  readonly address: string;
  readonly userAgent: string;
  /** `ok`, or the code of the refusal. */
  readonly result: string;
  /** What else is to be said, in a few words. */
  readonly detail: string | null;
}

/** Takes down what matters to security. */
export interface AuditTrail {
  /** Returns at once; the event is durable a moment later. */
  tell(event: AuditEvent): void;
  /**
   * Writes what has waited for a while in the turn that comes next. For whoever is about to ask for one anyway: a turn of its
   * own would cost a flush of the disk.
   */
  join(): void;
}
