import { type MailKind, mustMailKind } from './mail-kind.ts';
import { recordReader } from './record-reader.ts';

/** A mail that was given up. Its content is gone, because its link may still work. */
export interface DeadMail {
  readonly id: string;
  readonly project: string;
  readonly kind: MailKind;
  readonly to: string;
  readonly queuedAtMs: number;
  readonly attempts: number;
  readonly diedAtMs: number;
  /** Why it was not accepted, for operators. */
  readonly reason: string;
}

/** Reads a record of `dead`. History: the first form. */
export function decodeDeadMail(key: string, json: unknown): DeadMail {
  const record = recordReader(key, json);
  return {
    id: record.text('id'),
    project: record.text('project'),
    kind: mustMailKind(record.text('kind')),
    to: record.text('to'),
    queuedAtMs: record.number('queuedAtMs'),
    attempts: record.number('attempts'),
    diedAtMs: record.number('diedAtMs'),
    reason: record.text('reason'),
  };
}
