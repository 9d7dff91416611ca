import { setImmediate } from 'node:timers';
import type { LiveConnections, RevocationReason } from '../../access/live-connections.ts';
import type { CredentialSource, Principal } from '../../access/principal.ts';
import { isReadOnlyCaller } from '../../access/rights.ts';
import { INSTALLATION, type RecordStore, type RecordStoreView } from '../../records/store.ts';
import { accountRecords, findAccount, findRevoked } from '../accounts/account-store.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import {
  type FindServiceAccount,
  type ServiceAccount,
  serviceAccountEmail,
} from '../projects/service-account.ts';
import { findSession } from '../sign-in/session-store.ts';
import { type AccountScope, parseTenantId, projectScope, tenantScope } from '../tenants/scope.ts';
import { findTenantOf } from '../tenants/tenant-store.ts';
import { findMember } from './member-store.ts';

const REASONS: readonly RevocationReason[] = ['deleted', 'ended', 'revoked'];

/** Returns whether a principal is no longer valid. `suspects` are the names that `revokeTogether` has collected. */
type Condition = (principal: Principal, suspects: ReadonlySet<string>) => boolean;

/**
 * Collects suspects during one iteration of the event loop, and then ends the connections that meet a condition, in one
 * pass for each reason. A suspect is the name of an account that has changed, or of the records of a deleted tenant.
 * Returns a function that adds a suspect.
 */
function revokeTogether(
  connections: readonly LiveConnections[],
  conditions: Readonly<Partial<Record<RevocationReason, Condition>>>,
): (suspect: string) => void {
  let suspects = new Set<string>();
  const revoke = (): void => {
    const scanned = suspects;
    suspects = new Set();
    for (const reason of REASONS) {
      const isRevoked = conditions[reason];
      if (isRevoked === undefined) continue;
      for (const live of connections)
        live.revokeCredentials((principal) => isRevoked(principal, scanned), reason);
    }
  };
  return (suspect) => {
    if (suspects.size === 0) setImmediate(revoke);
    suspects.add(suspect);
  };
}

/**
 * Ends live connections of accounts that were deleted or disabled, or whose tokens were revoked. Checks accounts that
 * change in the same iteration of the event loop together.
 */
export function revokeLive(recordStore: RecordStore, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, {
    deleted: (principal, suspects) => findEnd(recordStore, suspects, principal) === 'deleted',
    revoked: (principal, suspects) => findEnd(recordStore, suspects, principal) === 'revoked',
  });
  recordStore.watch((records, location, value) => {
    const uid = findRevoked(location);
    if (uid !== undefined) suspect(nameOf(records, uid));
    const tenant = records === INSTALLATION && value === undefined ? findTenantOf(location) : undefined;
    if (tenant !== undefined) suspect(accountRecords(tenant));
  });
}

function nameOf(records: string, uid: string): string {
  return `${records}/${uid}`;
}

/** Returns the scope of the account of a token, or `undefined` if the claims name none. */
function findScope({ aud, firebase }: JsonObject): AccountScope | undefined {
  if (typeof aud !== 'string') return undefined;
  const tenant = isJsonObject(firebase) ? firebase['tenant'] : undefined;
  if (tenant === undefined) return projectScope(aud);
  const tenantId = typeof tenant === 'string' ? parseTenantId(tenant) : undefined;
  return tenantId === undefined ? undefined : tenantScope(aud, tenantId);
}

/** Returns why the ID token of a principal is no longer valid, or `undefined` if it is valid or not of a suspect. */
function findEnd(
  recordStore: RecordStore,
  suspects: ReadonlySet<string>,
  principal: Principal,
): RevocationReason | undefined {
  if (principal.kind !== 'user') return undefined;
  const { uid, token } = principal.auth;
  if (typeof uid !== 'string' || !isJsonObject(token)) return undefined;
  const { iat } = token;
  const scope = findScope(token);
  if (scope === undefined) return undefined;
  const records = accountRecords(scope);
  if (!suspects.has(nameOf(records, uid)) && !suspects.has(records)) return undefined;
  const account = recordStore.read((view) => findAccount(view.records(records), uid));
  if (account === undefined) return 'deleted';
  const isEarlier = typeof iat === 'number' && iat < account.validSinceSec;
  return account.isDisabled || isEarlier ? 'revoked' : undefined;
}

/**
 * Ends live connections of service accounts that were disabled or lost the role for databases, or whose key was
 * removed, including connections that impersonate a user.
 */
export function revokeLiveGrants(
  recordStore: RecordStore,
  findAccount: FindServiceAccount,
  connections: readonly LiveConnections[],
): void {
  const suspect = revokeTogether(connections, {
    ended: (principal, suspects) => findGrantEnd(findAccount, suspects, principal) === 'ended',
    revoked: (principal, suspects) => findGrantEnd(findAccount, suspects, principal) === 'revoked',
  });
  recordStore.watch((records, [kind, projectId, name], value) => {
    if (records !== INSTALLATION || !mayRevoke(kind, value)) return;
    if (projectId !== undefined && name !== undefined) suspect(serviceAccountEmail(name, projectId));
  });
}

/** Returns whether a change of a record may revoke grants. An added key does not. */
function mayRevoke(kind: string | undefined, value: unknown): boolean {
  return kind === 'service-accounts' || (kind === 'service-account-keys' && value === undefined);
}

/** Returns why a grant is no longer valid, or `undefined` if it is valid or not of a suspect. */
function findGrantEnd(
  findAccount: FindServiceAccount,
  suspects: ReadonlySet<string>,
  principal: Principal,
): RevocationReason | undefined {
  if (principal.kind === 'guest' || principal.grant?.kind !== 'service-account') return undefined;
  const { serviceAccount, keyId } = principal.grant;
  if (!suspects.has(serviceAccount)) return undefined;
  const account = findAccount(serviceAccount);
  if (account === undefined || !account.keys.some((key) => key.keyId === keyId)) return 'ended';
  if (hasRole(principal, account)) return undefined;
  return account.roles.some((role) => DATABASE_ROLES.has(role)) ? 'revoked' : 'ended';
}

const DATABASE_ROLES: ReadonlySet<string> = new Set(['database.admin', 'database.viewer']);

/** Returns whether an account still has a role that allows a connection: for a read-only connection, any of the two. */
function hasRole(principal: Principal, { roles }: ServiceAccount): boolean {
  return (
    roles.includes('database.admin') || (isReadOnlyCaller(principal) && roles.includes('database.viewer'))
  );
}

type MemberGrant = Extract<CredentialSource, { readonly kind: 'member' }>;

/**
 * Ends live connections of members who were removed, whose role changed, or whose session ended, including connections
 * that impersonate a user. Sessions also end when the account is deleted and when tokens are revoked.
 */
export function revokeLiveMembers(recordStore: RecordStore, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, {
    revoked: (principal, suspects) => {
      const grant = grantOf(principal);
      if (
        grant === undefined ||
        !suspects.has(nameOf(accountRecords(projectScope(grant.projectId)), grant.uid))
      )
        return false;
      return recordStore.read((view) => isOver(view, grant));
    },
  });
  recordStore.watch((records, [kind, first, second], value) => {
    if (first === undefined) return;
    if (records !== INSTALLATION) {
      if (kind === 'sessionsOf' && value === undefined) suspect(nameOf(records, first));
    } else if (kind === 'members' && second !== undefined)
      suspect(nameOf(accountRecords(projectScope(first)), second));
  });
}

function grantOf(principal: Principal): MemberGrant | undefined {
  if (principal.kind === 'guest' || principal.grant?.kind !== 'member') return undefined;
  return principal.grant;
}

function isOver(
  view: RecordStoreView,
  { projectId, uid, role, issuedAtSec, sessionIds }: MemberGrant,
): boolean {
  const records = view.records(accountRecords(projectScope(projectId)));
  const account = findAccount(records, uid);
  return (
    account === undefined ||
    account.isDisabled ||
    issuedAtSec < account.validSinceSec ||
    findMember(view.records(INSTALLATION), projectId, uid)?.role !== role ||
    !sessionIds.some((id) => findSession(records, id) !== undefined)
  );
}
