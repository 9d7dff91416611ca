import { recordReader } from './record-reader.ts';

/** When a mail is due, and whose it is: enough to pass it over without reading it. */
export interface DueMail {
  /** Sorts by when it is due. */
  readonly key: string;
  readonly id: string;
  readonly project: string;
  /** Given up at this time. */
  readonly untilMs: number;
}

/** Reads a record of `due`. History: the first form. */
export function decodeDueMail(key: string, json: unknown): DueMail {
  const record = recordReader(key, json);
  return { key, id: record.text('id'), project: record.text('project'), untilMs: record.number('untilMs') };
}
