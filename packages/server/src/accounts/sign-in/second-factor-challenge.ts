import type { BookTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { SignInFacts } from '../session.ts';

/**
 * What a sign-in is answered with whose account has a second factor that the project asks for; `undefined` when it needs
 * none. The first proof is kept until the second comes.
 */
export function findChallenge(
  _book: BookTurn,
  _call: IdentityCall,
  _services: IdentityServices,
  _account: Account,
  _facts: SignInFacts,
  _nowMs: number,
): JsonObject | undefined {
  return undefined;
}
