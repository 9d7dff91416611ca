import { UnsealFailure } from '../../platform/secret-box.ts';
import type { RecordStoreTransaction, RecordView } from '../../records/store.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { nameOfScope } from '../tenants/scope.ts';
import type { ProviderAssertion } from './assertion.ts';
import { isEmailProven } from './email-authority.ts';
import type { IdpRequest, VerifiedAssertion } from './idp-request.ts';
import { requireProvider } from './verified-credential.ts';

/** How long the client can use an assertion that led to no sign-in. */
const LIFETIME_MS = 3_600_000;
const ID_BYTES = 16;
const MAX_TOKEN_LENGTH = 131_072;
/** Number of expired records that a use of a token removes. */
const MAX_SWEPT = 10;
const STAMP_LENGTH = 15;

/** The content of a `pendingToken`. */
interface PendingAssertion {
  readonly id: string;
  readonly expiresAtMs: number;
  readonly isEmailProven: boolean;
  readonly assertion: ProviderAssertion;
}

function contextOf({ project }: AuthRequest): string {
  return `pending-assertion/${nameOfScope(project.scope)}`;
}

/**
 * Returns a token with which the client can use a verified assertion once more, after the user has signed in by another
 * method. It is encrypted, and valid for an hour in the same project.
 */
export function createPendingToken(
  call: AuthRequest,
  { secretBox, randomBytes, clock }: AuthServices,
  verified: Pick<VerifiedAssertion, 'assertion' | 'isEmailProven'>,
): string {
  const pending: PendingAssertion = {
    id: Buffer.from(randomBytes(ID_BYTES)).toString('base64url'),
    expiresAtMs: clock.nowMs() + LIFETIME_MS,
    isEmailProven: verified.isEmailProven,
    assertion: { ...verified.assertion, tokens: {} },
  };
  return secretBox.seal(JSON.stringify(pending), contextOf(call));
}

/** Returns the assertion of a `pendingToken`; `undefined` for requests without one. Throws `INVALID_PENDING_TOKEN`. */
export async function readPendingAssertion(
  call: AuthRequest,
  services: AuthServices,
  { pendingToken }: IdpRequest,
): Promise<VerifiedAssertion | undefined> {
  if (pendingToken === undefined) return undefined;
  const pending = openPendingToken(call, services, pendingToken);
  const { id, expiresAtMs, assertion } = pending;
  if (expiresAtMs <= services.clock.nowMs()) throw new AuthApiError('INVALID_PENDING_TOKEN');
  // In development mode, providers need no configuration. In other modes, the current one decides.
  const isProven = services.isDevelopment
    ? pending.isEmailProven
    : isEmailProven(requireProvider(call, services, assertion.providerId), assertion);
  const records = accountRecords(call.project.scope);
  services.recordStore.read((view) => requireUnused(view.records(records), id));
  return {
    assertion,
    isEmailProven: isProven,
    spend: (transaction) => {
      requireUnused(transaction.records(records), id);
      recordUse(transaction, records, id, expiresAtMs);
    },
  };
}

function openPendingToken(call: AuthRequest, { secretBox }: AuthServices, token: string): PendingAssertion {
  if (token.length > MAX_TOKEN_LENGTH) throw new AuthApiError('INVALID_PENDING_TOKEN');
  try {
    return JSON.parse(secretBox.open(token, contextOf(call)).toString()) as PendingAssertion;
  } catch (cause) {
    if (cause instanceof UnsealFailure) throw new AuthApiError('INVALID_PENDING_TOKEN', undefined, { cause });
    throw cause;
  }
}

function requireUnused(records: RecordView, id: string): void {
  if (records.find(['usedAssertions', id]) !== undefined) throw new AuthApiError('INVALID_PENDING_TOKEN');
}

/** Records that a token was used, until it would expire anyway, and removes some older records. */
function recordUse(
  transaction: RecordStoreTransaction,
  store: string,
  id: string,
  expiresAtMs: number,
): void {
  const records = transaction.records(store);
  records.write(['usedAssertions', id], true);
  records.write(['usedAssertionsUntil', `${stamp(expiresAtMs)}-${id}`], id);
  const expired = records.list(['usedAssertionsUntil'], {
    before: stamp(transaction.nowMs),
    limit: MAX_SWEPT,
  });
  for (const { key, value } of expired) {
    records.write(['usedAssertionsUntil', key], null);
    if (typeof value === 'string') records.write(['usedAssertions', value], null);
  }
}

function stamp(timeMs: number): string {
  return String(timeMs).padStart(STAMP_LENGTH, '0');
}
