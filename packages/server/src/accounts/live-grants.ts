import type { Books } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import type { Identity } from '../identity/identity.ts';
import { onlyLooks } from '../identity/only-looks.ts';
import {
  type FindServiceAccount,
  type ServiceAccount,
  serviceAccountEmail,
} from '../tokens/service-account.ts';
import { type LiveConnections, revokeTogether } from './live-connections.ts';

/**
 * Ends live connections of administrators whose service account was switched off or lost the role for databases, or whose
 * key was taken back, whoever they act for. Accounts that changed in one turn are looked at together.
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

/** A key that is added takes nothing from anybody. */
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

/** Whoever may only look does not get more by another role until they come back. */
function hasRole(identity: Identity, { roles }: ServiceAccount): boolean {
  return roles.includes('database.admin') || (onlyLooks(identity) && roles.includes('database.viewer'));
}
