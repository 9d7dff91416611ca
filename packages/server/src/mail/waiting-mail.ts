import { type MailKind, mustMailKind } from './mail-kind.ts';
import { recordReader } from './record-reader.ts';

/** A mail in the outbox: what operators may know of it, and the rest sealed. */
export interface WaitingMail {
  /** Ids sort by the time of queuing. */
  readonly id: string;
  readonly project: string;
  readonly kind: MailKind;
  readonly to: string;
  readonly queuedAtMs: number;
  /** How often it was tried in vain. */
  readonly attempts: number;
  /** Not tried earlier. */
  readonly dueAtMs: number;
  /** Given up at this time. */
  readonly untilMs: number;
  /** The `Mail` as JSON, sealed. */
  readonly content: string;
}

/** Reads a record of `waiting`. History: the first form. */
export function decodeWaitingMail(id: string, json: unknown): WaitingMail {
  const record = recordReader(id, json);
  return {
    id,
    project: record.text('project'),
    kind: mustMailKind(record.text('kind')),
    to: record.text('to'),
    queuedAtMs: record.number('queuedAtMs'),
    attempts: record.number('attempts'),
    dueAtMs: record.number('dueAtMs'),
    untilMs: record.number('untilMs'),
    content: record.text('content'),
  };
}
