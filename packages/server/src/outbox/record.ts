/** Reads the fields of a stored record. Throws an error (a bug) if a field is missing or has another type. */
export interface RecordReader {
  text(name: string): string;
  number(name: string): number;
}

export function recordReader(key: string, json: unknown): RecordReader {
  const members: Readonly<Record<string, unknown>> =
    typeof json === 'object' && json !== null ? { ...json } : {};
  const broken = (name: string): Error =>
    new Error(`Bug: "${name}" of the record ${key} in an outbox has an unexpected type.`);
  return {
    text(name) {
      const value = members[name];
      if (typeof value !== 'string') throw broken(name);
      return value;
    },
    number(name) {
      const value = members[name];
      if (typeof value !== 'number') throw broken(name);
      return value;
    },
  };
}

/** A message in an outbox: fields that operators may read, and sealed content. */
export interface WaitingMessage {
  /** Ids sort by the time when the message was queued. */
  readonly id: string;
  readonly project: string;
  readonly kind: string;
  readonly to: string;
  readonly queuedAtMs: number;
  /** Number of failed attempts. */
  readonly attempts: number;
  /** The time of the next attempt. */
  readonly dueAtMs: number;
  /** The time when the server gives up on the message. */
  readonly untilMs: number;
  /** The message as JSON, sealed. */
  readonly content: string;
}

/** Decodes a record of `waiting`. History: the first version of the format. */
export function decodeWaitingMessage(id: string, json: unknown): WaitingMessage {
  const record = recordReader(id, json);
  return {
    id,
    project: record.text('project'),
    kind: record.text('kind'),
    to: record.text('to'),
    queuedAtMs: record.number('queuedAtMs'),
    attempts: record.number('attempts'),
    dueAtMs: record.number('dueAtMs'),
    untilMs: record.number('untilMs'),
    content: record.text('content'),
  };
}

/** The due time and the project of a message: enough to skip the message without reading it. */
export interface DueMessage {
  /** Sorts by due time. */
  readonly key: string;
  readonly id: string;
  readonly project: string;
  /** The time when the server gives up on the message. */
  readonly untilMs: number;
}

/** Decodes a record of `due`. History: the first version of the format. */
export function decodeDueMessage(key: string, json: unknown): DueMessage {
  const record = recordReader(key, json);
  return { key, id: record.text('id'), project: record.text('project'), untilMs: record.number('untilMs') };
}

/** A message that the server gave up on. Its content is deleted, because its link or code may still work. */
export interface DeadMessage {
  readonly id: string;
  readonly project: string;
  readonly kind: string;
  readonly to: string;
  readonly queuedAtMs: number;
  readonly attempts: number;
  readonly diedAtMs: number;
  /** Why the other server did not accept the message, for operators. */
  readonly reason: string;
}

/** Decodes a record of `dead`. History: the first version of the format. */
export function decodeDeadMessage(key: string, json: unknown): DeadMessage {
  const record = recordReader(key, json);
  return {
    id: record.text('id'),
    project: record.text('project'),
    kind: record.text('kind'),
    to: record.text('to'),
    queuedAtMs: record.number('queuedAtMs'),
    attempts: record.number('attempts'),
    diedAtMs: record.number('diedAtMs'),
    reason: record.text('reason'),
  };
}
