import type { AuditEvent, AuditTrail } from '../audit/trail.ts';
import type { Clock } from '../platform/clock.ts';
import type { HttpSend } from '../platform/network/http-send.ts';
import { isPublicAddress } from '../platform/network/public-address.ts';
import { randomBytes } from '../platform/random.ts';
import { secretKey } from '../platform/secret-key.ts';
import { memoryRecordStore, TestClock } from '../records/memory-records.fixture.ts';
import type { RecordStore } from '../records/store.ts';
import { CHEAP_COST } from './passwords/argon2.fixture.ts';
import { TaskThreads } from './passwords/task-threads.ts';
import { openWaitingPlaces } from './passwords/waiting-places.fixture.ts';
import { createProviderSend } from './providers/provider-requests.ts';
import { type AuthServices, openAuthServices } from './services.ts';
import { DEVELOPMENT, type ThrottleLimits } from './throttling/limits.ts';
import { Throttle } from './throttling/throttle.ts';
import type { TokenServices } from './tokens/services.ts';
import { unsignedTokenServices } from './tokens/unsigned-tokens.ts';

/** Shared by all tests of the process, because a thread starts slowly. An idle thread does not keep it alive. */
const threads = new TaskThreads();

/**
 * Creates the services of the Auth API over a record store in memory, as in development mode, and the list of
 * recorded audit events.
 */
export function createTestAuth(
  change: {
    readonly recordStore?: RecordStore;
    readonly clock?: Clock;
    readonly tokens?: TokenServices;
    readonly limits?: ThrottleLimits;
    /** Receives the requests to identity providers. */
    readonly sendToProvider?: HttpSend;
    /** A second receiver of the audit events. */
    readonly audit?: AuditTrail;
  } = {},
): {
  readonly services: AuthServices;
  readonly audited: readonly AuditEvent[];
} {
  const clock = change.clock ?? new TestClock();
  const audited: AuditEvent[] = [];
  const services = openAuthServices({
    recordStore: change.recordStore ?? memoryRecordStore(clock),
    clock,
    randomBytes,
    secretKey: secretKey(new Uint8Array(32)),
    ...(change.tokens ?? unsignedTokenServices),
    throttle: new Throttle({ clock, limits: change.limits ?? DEVELOPMENT }),
    audit: {
      notify: (event) => {
        audited.push(event);
        change.audit?.notify(event);
      },
      join: () => change.audit?.join(),
    },
    sendToProvider: change.sendToProvider ?? createProviderSend(isPublicAddress),
    developmentProject: 'demo',
    allowedHosts: [],
    mayReachHook: undefined,
    hashing: { cost: CHEAP_COST, threads, places: openWaitingPlaces() },
  });
  return { services, audited };
}
