import { createHash } from 'node:crypto';
import type { RecordTransaction } from '../../records/store.ts';
import { accountRecords, findAccount } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { StoredRecord } from '../stored-record.ts';
import type { Session } from './session.ts';
import { endSession, findSession, startSession } from './session-store.ts';
import { tokensOfSession } from './session-tokens.ts';

/** How long a handover token is valid, in ms. */
const HANDOVER_MS = 60_000;
const TIME_BYTES = 6;
const RANDOM_BYTES = 32;
const BYTES = TIME_BYTES + RANDOM_BYTES;
/** Distinguishes handover tokens from custom tokens, which are JWTs. */
const PREFIX = 'hearth-session.';
const TEXT = new RegExp(`^hearth-session\\.[\\w-]{${Math.ceil((BYTES * 4) / 3)}}$`);
/** Maximum number of expired records that each new one removes; more than one, so that their number falls. */
const MAX_SWEPT = 4;

/**
 * Creates a token with which an unmodified SDK continues a session, by `signInWithCustomToken`. Methods that the SDK
 * does not know have no other way to give it a session. The token is valid once, for a minute, and with the same API
 * key. The session ends when another one continues it, unless `endsSource` is false. The token is the time until which
 * it is valid (6 bytes, big-endian) and 32 random bytes; the server stores its hash.
 */
export function createHandover(
  records: RecordTransaction,
  { caller }: AuthRequest,
  { randomBytes }: AuthServices,
  { id }: Session,
  nowMs: number,
  { endsSource } = { endsSource: true },
): string {
  const bytes = Buffer.alloc(BYTES);
  bytes.writeUIntBE(nowMs + HANDOVER_MS, 0, TIME_BYTES);
  bytes.set(randomBytes(RANDOM_BYTES), TIME_BYTES);
  for (const old of records.listKeys(['handovers'], { before: `${nowMs}-`, limit: MAX_SWEPT }))
    records.write(['handovers', old], null);
  records.write(['handovers', keyOf(bytes)], {
    session: id,
    apiKey: caller.kind === 'app' ? caller.apiKey : null,
    ...(endsSource ? {} : { keepsSource: true }),
  });
  return `${PREFIX}${bytes.toString('base64url')}`;
}

function keyOf(bytes: Buffer): string {
  return `${bytes.readUIntBE(0, TIME_BYTES)}-${createHash('sha256').update(bytes).digest('base64url')}`;
}

/** Returns whether a custom token is a handover token. */
export function isHandover(token: string): boolean {
  return token.startsWith(PREFIX);
}

/**
 * Continues the session of a handover token as a session of the calling SDK: with the same sign-in method, second
 * factor, claims and time of sign-in. The session of the program that signed in ends, unless the token keeps it. Throws
 * `INVALID_CUSTOM_TOKEN` if the token was used, has expired or is for another app, and `USER_DISABLED`.
 */
export async function takeOverSession(
  call: AuthRequest,
  services: AuthServices,
  token: string,
): Promise<JsonObject> {
  const { project, caller } = call;
  const bytes = Buffer.from(TEXT.test(token) ? token.slice(PREFIX.length) : '', 'base64url');
  if (bytes.length !== BYTES) throw invalidHandover();
  const { account, session } = await services.recordStore.change((transaction) => {
    const { nowMs } = transaction;
    const records = transaction.records(accountRecords(project.scope));
    const key = keyOf(bytes);
    const json = records.find(['handovers', key]);
    const record = json === undefined ? undefined : new StoredRecord(json);
    const apiKey = caller.kind === 'app' ? caller.apiKey : null;
    const source = findSession(records, record?.text('session') ?? '');
    const owner = findAccount(records, source?.uid ?? '');
    if (source === undefined || owner === undefined || record?.text('apiKey') !== apiKey)
      throw invalidHandover();
    if (bytes.readUIntBE(0, TIME_BYTES) <= nowMs) throw invalidHandover();
    if (owner.isDisabled) throw new AuthApiError('USER_DISABLED', undefined, { uid: owner.uid });
    records.write(['handovers', key], null);
    if (!record.flag('keepsSource')) endSession(records, owner.uid, source.id);
    return {
      account: owner,
      session: startSession(records, call, services, owner.uid, source, nowMs, source.authTimeSec),
    };
  });
  return { localId: account.uid, ...(await tokensOfSession(services, project, account, session)) };
}

function invalidHandover(): AuthApiError {
  return new AuthApiError('INVALID_CUSTOM_TOKEN', 'The token was used, has expired, or is for another app.');
}
