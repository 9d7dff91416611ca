import { setImmediate } from 'node:timers';
import type { Books } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import type { Identity } from '../identity/identity.ts';
import { type FindServiceAccount, serviceAccountEmail } from '../tokens/service-account.ts';
import type { LiveConnections } from './live-revocation.ts';

/**
 * Ends live connections of administrators whose service account was switched off or lost the role for databases, or whose
 * key was taken back, whoever they act for. Accounts that changed in one turn are looked at together.
 */
export function revokeLiveGrants(
  books: Books,
  findAccount: FindServiceAccount,
  connections: readonly LiveConnections[],
): void {
  const suspects = new Set<string>();
  const look = (): void => {
    const isRevoked = (identity: Identity): boolean => isGrantRevoked(findAccount, suspects, identity);
    for (const live of connections) live.revokeCredentials(isRevoked);
    suspects.clear();
  };
  books.watch((book, [kind, projectId, name], value) => {
    if (book !== INSTALLATION || !mayRevoke(kind, value)) return;
    if (projectId === undefined || name === undefined) return;
    if (suspects.size === 0) setImmediate(look);
    suspects.add(serviceAccountEmail(name, projectId));
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
  if (identity.kind === 'guest' || identity.grant === undefined) return false;
  const { serviceAccount, keyId } = identity.grant;
  if (!suspects.has(serviceAccount)) return false;
  const account = findAccount(serviceAccount);
  return (
    account === undefined ||
    !account.roles.includes('database.admin') ||
    !account.keys.some((key) => key.keyId === keyId)
  );
}
