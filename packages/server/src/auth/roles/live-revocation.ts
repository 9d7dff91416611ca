import { setImmediate } from 'node:timers';
import type { Grant, Identity } from '../../access/principal.ts';
import { onlyLooks } from '../../access/rights.ts';
import { type Books, type BooksView, INSTALLATION } from '../../records/store.ts';
import { accountsBook, findAccount, findRevoked } from '../accounts/account-store.ts';
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
  revokeCredentials(isRevoked: (identity: Identity) => boolean): void;
}

/**
 * Collects the suspects of one event-loop turn, and then ends the connections for which the condition holds, in
 * one pass. Returns a function that adds a suspect.
 */
function revokeTogether(
  connections: readonly LiveConnections[],
  isRevoked: (identity: Identity, suspects: ReadonlySet<string>) => boolean,
): (suspect: string) => void {
  let suspects = new Set<string>();
  const look = (): void => {
    const looked = suspects;
    suspects = new Set();
    for (const live of connections) live.revokeCredentials((identity) => isRevoked(identity, looked));
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
export function revokeLive(books: Books, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, (identity, suspects) =>
    isTokenRevoked(books, suspects, identity),
  );
  books.watch((book, place) => {
    const uid = findRevoked(place);
    if (uid !== undefined) suspect(nameOf(book, uid));
  });
}

function nameOf(book: string, uid: string): string {
  return `${book}/${uid}`;
}

function isTokenRevoked(books: Books, suspects: ReadonlySet<string>, identity: Identity): boolean {
  if (identity.kind !== 'user') return false;
  const { uid, token } = identity.auth;
  if (typeof uid !== 'string' || !isJsonObject(token)) return false;
  const { aud, iat } = token;
  if (typeof aud !== 'string') return false;
  const book = accountsBook(aud);
  if (!suspects.has(nameOf(book, uid))) return false;
  const account = books.read((view) => findAccount(view.book(book), uid));
  return (
    account === undefined || account.isDisabled || (typeof iat === 'number' && iat < account.validSinceSec)
  );
}

/**
 * Ends live connections of service accounts that were disabled or lost the role for databases, or whose key was
 * revoked, also under impersonation. Accounts that change in the same event-loop turn are checked together.
 */
export function revokeLiveGrants(
  books: Books,
  findAccount: FindServiceAccount,
  connections: readonly LiveConnections[],
): void {
  const suspect = revokeTogether(connections, (identity, suspects) =>
    isGrantRevoked(findAccount, suspects, identity),
  );
  books.watch((book, [kind, projectId, name], value) => {
    if (book !== INSTALLATION || !mayRevoke(kind, value)) return;
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
  identity: Identity,
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
function hasRole(identity: Identity, { roles }: ServiceAccount): boolean {
  return roles.includes('database.admin') || (onlyLooks(identity) && roles.includes('database.viewer'));
}

type MemberGrant = Extract<Grant, { readonly kind: 'member' }>;

/**
 * Closes live connections of members who were removed, whose role changed, or whose session ended. Sessions
 * also end when the account is deleted and when tokens are revoked. Connections that impersonate another user
 * are included. All changes of one transaction are checked together.
 */
export function revokeLiveMembers(books: Books, connections: readonly LiveConnections[]): void {
  const suspect = revokeTogether(connections, (identity, suspects) => {
    const grant = grantOf(identity);
    if (grant === undefined || !suspects.has(nameOf(accountsBook(grant.projectId), grant.uid))) return false;
    return books.read((view) => isOver(view, grant));
  });
  books.watch((book, [kind, first, second], value) => {
    if (first === undefined) return;
    if (book !== INSTALLATION) {
      if (kind === 'sessionsOf' && value === undefined) suspect(nameOf(book, first));
    } else if (kind === 'members' && second !== undefined) suspect(nameOf(accountsBook(first), second));
  });
}

function grantOf(identity: Identity): MemberGrant | undefined {
  if (identity.kind === 'guest' || identity.grant?.kind !== 'member') return undefined;
  return identity.grant;
}

function isOver(view: BooksView, { projectId, uid, role, issuedAtSec, sessionIds }: MemberGrant): boolean {
  const book = view.book(accountsBook(projectId));
  const account = findAccount(book, uid);
  return (
    account === undefined ||
    account.isDisabled ||
    issuedAtSec < account.validSinceSec ||
    findMember(view.book(INSTALLATION), projectId, uid)?.role !== role ||
    !sessionIds.some((id) => findSession(book, id) !== undefined)
  );
}
