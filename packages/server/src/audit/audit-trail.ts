import type { AuditEventName } from './audit-events.ts';

/** Where a request comes from, and what it is called. */
export interface RequestSource {
  /** Network address of the other end; of the client itself if a declared proxy stands between. */
  readonly address: string;
  /** What the program says that it is. Anybody may say anything. */
  readonly userAgent: string;
  /** As the header `x-request-id` of the answer has it; `null` for what no request has asked for. */
  readonly requestId: string | null;
}

/** Of what the server does by itself. */
export const NO_REQUEST: RequestSource = { address: '', userAgent: '', requestId: null };

/** What happened, to whom, by whom, from where. No secrets, no codes, no whole tokens. */
export interface AuditEvent extends RequestSource {
  readonly event: AuditEventName;
  /** `null` for what concerns the server as a whole, or a project that there is not. */
  readonly projectId: string | null;
  /** The account that it is about; `null` when it is about none, or one that is not known. */
  readonly uid: string | null;
  /** Who did it: `app` for a client of the project, else the administrator's name. */
  readonly actor: string;
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
