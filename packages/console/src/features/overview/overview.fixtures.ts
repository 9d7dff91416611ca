import type { ListedQuery } from '@hearth/core/api/activity.ts';
import type { RulesVersion } from '@hearth/core/api/rules-version.ts';
import type { HotPaths, ServerActivity } from '../../api/activity.ts';
import type { AuditEntry } from '../../api/audit.ts';
import { ApiError } from '../../api/client.ts';
import type { LivePage } from '../../api/data.ts';
import type { ListedDenial } from '../../api/denials.ts';
import type { Loadable } from '../../api/query-state.ts';
import type { CurrentRules } from '../../api/rules.ts';
import type { DeadMail } from '../../api/settings.ts';
import type { ActivityPoint } from '../activity/figures.ts';
import type { Activity } from '../activity/use-activity.ts';
import { latestChanges } from './changes.ts';
import type { Problem } from './problems.ts';

const MINUTE_MS = 60_000;

export const DENIAL: ListedDenial = {
  id: 1,
  timeMs: 0,
  operation: 'get',
  paths: ['/users/bob'],
  pathCount: 1,
  identity: { kind: 'guest' },
  query: null,
  rulesHash: '',
  cut: 'nothing',
  rule: { kind: 'read', location: '/users/$uid', text: 'auth.uid == $uid' },
  reason: null,
};

export const QUERY: ListedQuery = {
  location: '/scores',
  orderBy: 'points',
  isIndexed: false,
  count: 12,
  rejected: 0,
  slowestMs: 3,
  mostChildren: 300,
  latestAtMs: 0,
  fix: '".indexOn": "points"',
};

export const SERVER: ServerActivity = {
  timeMs: 0,
  uptimeSec: 100,
  cpu: { share: 0.1, totalMs: 100 },
  memory: { residentBytes: 1, heapUsedBytes: 1 },
  eventLoop: { busyShare: 0.1, longestDelayMs: 4 },
  store: { sizeBytes: 1, usedBytes: 1, freeBytes: 0 },
  disk: { freeBytes: 60, totalBytes: 100 },
};

export const MAIL: DeadMail = {
  id: 'm1',
  kind: 'VERIFY_EMAIL',
  to: 'ann@example.com',
  diedAtMs: 0,
  attempts: 8,
  reason: '550 unknown mailbox',
};

export const VERSION: RulesVersion = {
  id: 3,
  timeMs: MINUTE_MS,
  author: { kind: 'member', uid: 'u-ann' },
  bytes: 200,
  message: 'Validate messages',
  rolledBackTo: null,
};

export const RULES: CurrentRules = {
  id: 3,
  source: '{"rules": {".read": "auth != null"}}',
  version: VERSION,
};

export const ENTRY: AuditEntry = {
  id: 'e1',
  timeMs: 2 * MINUTE_MS,
  event: 'account_created',
  uid: 'u-bob',
  actor: 'ann@example.com',
  address: '203.0.113.9',
  userAgent: '',
  result: 'ok',
  detail: null,
  requestId: 'r1',
  count: 1,
  lastTimeMs: null,
};

/** Returns the input of a part of the overview in each state: loading, forbidden, failed and ready. */
function statesOf<T>(data: T, retry: () => void = () => {}) {
  return {
    loading: { kind: 'loading' },
    forbidden: { kind: 'forbidden', error: new ApiError(403, 'Your role does not allow this.', 'auth/role') },
    failed: { kind: 'failed', error: new ApiError(500, 'Internal server error.'), retry },
    ready: { kind: 'ready', data },
  } as const satisfies Record<string, Loadable<T>>;
}

const PROBLEMS: readonly Problem[] = [
  { kind: 'open-rules', isReadOpen: true, isWriteOpen: false },
  { kind: 'disk', freeShare: 0.04 },
  { kind: 'denials', count: 42, isMore: false, rule: DENIAL.rule },
  { kind: 'unindexed', count: 1 },
  { kind: 'event-loop', delayMs: 128 },
  { kind: 'mails', count: 3 },
  { kind: 'no-rules' },
];

export const ATTENTION = { ...statesOf(PROBLEMS), calm: { kind: 'ready', data: [] } } as const;

const CHANGES = latestChanges(
  [VERSION, { ...VERSION, id: 2, timeMs: 0, author: { kind: 'admin' }, message: null, rolledBackTo: 1 }],
  [
    ENTRY,
    { ...ENTRY, id: 'e2', event: 'account_deleted', timeMs: 30_000 },
    {
      ...ENTRY,
      id: 'e3',
      event: 'config_changed',
      uid: null,
      actor: 'owner',
      detail: 'notification.sendEmail',
      timeMs: 20_000,
    },
  ],
);

export const RECENT_CHANGES = {
  ...statesOf({ changes: CHANGES, names: new Map([['u-ann', 'ann@example.com']]) }),
  none: { kind: 'ready', data: { changes: [], names: new Map<string, string>() } },
} as const;

const PATHS: HotPaths = {
  reads: [
    { path: '/rooms/$room/messages', count: 2_196.4 },
    { path: '/users/*', count: 304 },
  ],
  writes: [],
  halfLifeMs: 300_000,
};

export const BUSIEST_PATHS = statesOf(PATHS);

function pointAt(timeMs: number, readsPerSec: number, p50Ms: number | null): ActivityPoint {
  return {
    timeMs,
    readsPerSec,
    writesPerSec: 2,
    deniedPerSec: 0.4,
    sentPerSec: 0,
    receivedPerSec: 0,
    connections: 7,
    p50Ms,
    p99Ms: p50Ms,
    storeBytes: null,
  };
}

export const ACTIVITIES: Readonly<Record<'loading' | 'forbidden' | 'ready' | 'idle', Activity>> = {
  loading: { points: [], isKnown: false, state: { kind: 'connecting' } },
  forbidden: {
    points: [],
    isKnown: false,
    state: { kind: 'forbidden', error: new ApiError(403, 'Your role does not allow this.', 'auth/role') },
  },
  ready: {
    points: [pointAt(5_000, 40, 1.5), pointAt(10_000, 12, 0.5)],
    isKnown: true,
    state: { kind: 'open' },
  },
  idle: { points: [], isKnown: true, state: { kind: 'open' } },
};

export const PAGE: LivePage = {
  node: { kind: 'object', childCount: 4, isCountPartial: false, priority: null },
  children: [
    { key: 'motd', kind: 'string', value: 'Welcome', priority: null },
    { key: 'rooms', kind: 'object', childCount: 288, isCountPartial: false, priority: null },
    { key: 'users', kind: 'object', childCount: 1_000, isCountPartial: true, priority: null },
    { key: 'version', kind: 'number', value: 42, priority: null },
  ],
  previous: null,
  next: null,
};
