import { createLogger } from '../platform/logger.ts';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import type { RecordStore } from '../records/store.ts';
import { AuditLog } from './log.ts';
import type { AuditSearch } from './search.ts';
import { type AuditRetention, DEFAULT_RETENTION, type SeriesRetention } from './series.ts';
import type { AuditEvent } from './trail.ts';

/** A search for the latest hundred entries, without a filter. */
export const ALL: AuditSearch = {
  limit: 100,
  before: null,
  sinceMs: null,
  untilMs: null,
  series: null,
  filter: {
    events: null,
    database: null,
    uid: null,
    tenant: null,
    actor: null,
    result: null,
    requestId: null,
  },
};

export function auditEvent(change: Partial<AuditEvent> = {}): AuditEvent {
  return {
    event: 'sign_in',
    projectId: 'p',
    uid: 'u1',
    actor: 'app',
    address: '192.0.2.1',
    userAgent: 'Test/1.0',
    requestId: '2f1c8a34-9a39-4a55-8d6e-7a1f1f6f0c11',
    result: 'ok',
    detail: null,
    ...change,
  };
}

/** Returns an audit log over a record store in memory, and the lines that it logs. */
export function auditTestBed(
  change: {
    readonly recordStore?: RecordStore;
    readonly clock?: TestClock;
    /** The retention of the entries of users. */
    readonly retention?: SeriesRetention;
    readonly administration?: SeriesRetention;
  } = {},
): {
  readonly log: AuditLog;
  readonly recordStore: RecordStore;
  readonly clock: TestClock;
  readonly lines: string[];
} {
  const clock = change.clock ?? new TestClock();
  const recordStore = change.recordStore ?? memoryRecordStore(clock);
  const lines: string[] = [];
  const logger = createLogger('info', { write: (line) => lines.push(line) });
  const retention: AuditRetention = {
    users: change.retention ?? DEFAULT_RETENTION.users,
    administration: change.administration ?? DEFAULT_RETENTION.administration,
  };
  const log = new AuditLog({ recordStore, clock, logger, retention, listLogs: () => ['p', 'q', null] });
  return { log, recordStore, clock, lines };
}
