import type { KvRead } from '../kv/store.ts';
import { decodeHead, decodeRecord } from './record.ts';
import { headKey } from './record-key.ts';
import { readRecords } from './record-table.ts';

/** What was found in the log of one database. */
export interface LogCheck {
  /** Number of the last commit; 0 before the first. */
  readonly seq: number;
  /** Commits that are kept. */
  readonly kept: number;
  /** Sentences; empty when all is sound. */
  readonly problems: readonly string[];
}

/** Looks at all records of a database's log: whether they can be read, follow each other, and end where the head says. */
export function checkLog(tx: KvRead, database: string): LogCheck {
  const stored = tx.find('meta', headKey(database));
  const head = stored === undefined ? { seq: 0, first: 1, bytes: 0 } : decodeHead(stored);
  const problems: string[] = [];
  let next = head.first;
  let bytes = 0;
  for (const record of readRecords(tx, database, 0)) {
    if (record.seq !== next)
      problems.push(
        `the log of ${database} has a record of commit ${record.seq} where ${next} should follow`,
      );
    bytes += record.bytes.length;
    try {
      next = record.seq + decodeRecord(database, record.seq, record.bytes).length;
    } catch (error) {
      problems.push(`the record of commit ${record.seq} of ${database} cannot be read: ${String(error)}`);
      return { seq: head.seq, kept: 0, problems };
    }
  }
  if (next !== head.seq + 1)
    problems.push(`the log of ${database} ends with commit ${next - 1}, not with ${head.seq}`);
  if (bytes !== head.bytes)
    problems.push(`the log of ${database} has ${bytes} bytes of records, not ${head.bytes}`);
  return { seq: head.seq, kept: next - head.first, problems };
}
