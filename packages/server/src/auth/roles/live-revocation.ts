import { setImmediate } from 'node:timers';
import type { CredentialSource, Principal } from '../../access/principal.ts';
import { isReadOnlyCaller } from '../../access/rights.ts';
import { INSTALLATION, type RecordStore, type RecordStoreView } from '../../records/store.ts';
import { accountRecords, findAccount, findRevoked } from '../accounts/account-store.ts';
import { isJsonObject } from '../fields.ts';
import {
  type FindServiceAccount,
  type ServiceAccount,
  serviceAccountEmail,
} from '../projects/service-account.ts';
import { findSession } from '../sign-in/session-store.ts';
import { findMember } from './member-store.ts';

/** Connections that are opened with a credential and stay open after it was verified. */
export interface LiveConnections {
  /**
   * Ends the connections whose principal a condition holds for, and asks their clients to reconnect with
   * another credential.
   */
  revokeCredentials(isRevoked: (identity: Principal) => boolean): void;
}

/**
 * Collects the suspects of one event-loop turn, and then ends the connections for which the condition holds, in
 * one pass. Returns a function that adds a suspect.
 */
function revokeTogether(
  connections: readonly LiveConnections[],
  isRevoked: (identity: Principal, suspects: ReadonlySet<string>) => boolean,
): (suspect: string) => void {
  let suspects = new Set<string>();
  const look = (): void => {
    const scanned = suspects;
    suspects = new Set();
    for (const live of connections) live.revokeCredentials((identity) => isRevoked(identity, scanned));
  };
  return (suspect) => {
    if (suspects.size === 0) setImmediate(look);
    suspects.add(suspect);
  };
}

/**
 * Ends live connections of accounts that were deleted or disabled, or whose tokens were revoked. Accounts that
 * change in the same event-loop turn are checked together.
 */
export function revokeLive(recordStore: RecordStore, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, (identity, suspects) =>
    isTokenRevoked(recordStore, suspects, identity),
  );
  recordStore.watch((records, location) => {
    const uid = findRevoked(location);
    if (uid !== undefined) suspect(nameOf(records, uid));
  });
}

function nameOf(records: string, uid: string): string {
  return `${records}/${uid}`;
}

function isTokenRevoked(
  recordStore: RecordStore,
  suspects: ReadonlySet<string>,
  identity: Principal,
): boolean {
  if (identity.kind !== 'user') return false;
  const { uid, token } = identity.auth;
  if (typeof uid !== 'string' || !isJsonObject(token)) return false;
  const { aud, iat } = token;
  if (typeof aud !== 'string') return false;
  const records = accountRecords(aud);
  if (!suspects.has(nameOf(records, uid))) return false;
  const account = recordStore.read((view) => findAccount(view.records(records), uid));
  return (
    account === undefined || account.isDisabled || (typeof iat === 'number' && iat < account.validSinceSec)
  );
}

/**
 * Ends live connections of service accounts that were disabled or lost the role for databases, or whose key was
 * revoked, also under impersonation. Accounts that change in the same event-loop turn are checked together.
 */
export function revokeLiveGrants(
  recordStore: RecordStore,
  findAccount: FindServiceAccount,
  connections: readonly LiveConnections[],
): void {
  const suspect = revokeTogether(connections, (identity, suspects) =>
    isGrantRevoked(findAccount, suspects, identity),
  );
  recordStore.watch((records, [kind, projectId, name], value) => {
    if (records !== INSTALLATION || !mayRevoke(kind, value)) return;
    if (projectId !== undefined && name !== undefined) suspect(serviceAccountEmail(name, projectId));
  });
}

/** A key that is added revokes nothing. */
function mayRevoke(kind: string | undefined, value: unknown): boolean {
  return kind === 'service-accounts' || (kind === 'service-account-keys' && value === undefined);
}

function isGrantRevoked(
  findAccount: FindServiceAccount,
  suspects: ReadonlySet<string>,
  identity: Principal,
): boolean {
  if (identity.kind === 'guest' || identity.grant?.kind !== 'service-account') return false;
  const { serviceAccount, keyId } = identity.grant;
  if (!suspects.has(serviceAccount)) return false;
  const account = findAccount(serviceAccount);
  return (
    account === undefined || !hasRole(identity, account) || !account.keys.some((key) => key.keyId === keyId)
  );
}

/** A read-only administrator who gets a role with more rights keeps reading until they reconnect. */
function hasRole(identity: Principal, { roles }: ServiceAccount): boolean {
  return (
    roles.includes('database.admin') || (isReadOnlyCaller(identity) && roles.includes('database.viewer'))
  );
}

type MemberGrant = Extract<CredentialSource, { readonly kind: 'member' }>;

/**
 * Closes live connections of members who were removed, whose role changed, or whose session ended. Sessions
 * also end when the account is deleted and when tokens are revoked. Connections that impersonate another user
 * are included. All changes of one transaction are checked together.
 */
export function revokeLiveMembers(recordStore: RecordStore, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, (identity, suspects) => {
    const grant = grantOf(identity);
    if (grant === undefined || !suspects.has(nameOf(accountRecords(grant.projectId), grant.uid)))
      return false;
    return recordStore.read((view) => isOver(view, grant));
  });
  recordStore.watch((records, [kind, first, second], value) => {
    if (first === undefined) return;
    if (records !== INSTALLATION) {
      if (kind === 'sessionsOf' && value === undefined) suspect(nameOf(records, first));
    } else if (kind === 'members' && second !== undefined) suspect(nameOf(accountRecords(first), second));
  });
}

function grantOf(identity: Principal): MemberGrant | undefined {
  if (identity.kind === 'guest' || identity.grant?.kind !== 'member') return undefined;
  return identity.grant;
}

function isOver(
  view: RecordStoreView,
  { projectId, uid, role, issuedAtSec, sessionIds }: MemberGrant,
): boolean {
  const records = view.records(accountRecords(projectId));
  const account = findAccount(records, uid);
  return (
    account === undefined ||
    account.isDisabled ||
    issuedAtSec < account.validSinceSec ||
    findMember(view.records(INSTALLATION), projectId, uid)?.role !== role ||
    !sessionIds.some((id) => findSession(records, id) !== undefined)
  );
}
