import type { BooksTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { findTries, saveTries, withBegun } from '../second-factor/factor-tries.ts';
import { isOffered } from '../second-factor/is-offered.ts';
import { addPending } from '../second-factor/pending-book.ts';
import { newPendingCredential } from '../second-factor/pending-handle.ts';
import { SECOND_FACTORS } from '../second-factor/second-factors.ts';
import type { SignInFacts } from '../session.ts';
import { factorJson } from '../user-json.ts';

/**
 * What a sign-in is answered with whose account has a second factor that the project asks for; `undefined` when it needs
 * none. The first proof is kept until the second comes.
 */
export function findChallenge(
  turn: BooksTurn,
  { project }: IdentityCall,
  { randomBytes }: IdentityServices,
  account: Account,
  facts: SignInFacts,
): JsonObject | undefined {
  const usable = account.factors.filter(({ kind }) =>
    isOffered(turn, SECOND_FACTORS[kind], project, account.uid),
  );
  if (usable.length === 0) return undefined;
  const { nowMs } = turn;
  const book = turn.book(accountsBook(project.id));
  saveTries(book, account.uid, withBegun(findTries(book, account.uid, nowMs)));
  const { credential, key } = newPendingCredential(project.number, nowMs, randomBytes);
  addPending(book, key, account.uid, { facts, createdAtMs: nowMs, wrongCodes: 0 });
  return { mfaPendingCredential: credential, mfaInfo: usable.map(factorJson) };
}
