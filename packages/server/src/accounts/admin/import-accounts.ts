import type { BooksTurn, BookTurn, BookView } from '../../books/books.ts';
import type { Account } from '../account.ts';
import {
  accountsBook,
  findAccount,
  findAccountByEmail,
  findAccountByIdentity,
  findAccountByPhone,
  saveAccount,
} from '../account-book.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { isMember } from '../members/member-book.ts';
import { mustSpareMembers } from '../members/must-spare-members.ts';
import { MAX_FACTORS } from '../second-factor/must-allow-enrollment.ts';
import { endSessions } from '../session-book.ts';
import { ImportProblem } from './import-problem.ts';
import { OverlaidBook } from './overlaid-book.ts';

/** Accounts in one turn, so that nobody else waits for long. */
const STEP_ACCOUNTS = 50;

/** One account of an import and its position there. */
export interface ImportItem {
  readonly index: number;
  readonly account: Account;
}

export interface ItemError {
  readonly index: number;
  readonly message: string;
}

/** Keeps the accounts of an import, step by step, and returns why some of them were left out. */
export async function importAccounts(
  { books }: IdentityServices,
  call: IdentityCall,
  items: readonly ImportItem[],
  mayOverwrite: boolean,
): Promise<readonly ItemError[]> {
  const errors: ItemError[] = [];
  for (let start = 0; start < items.length; start += STEP_ACCOUNTS) {
    const step = items.slice(start, start + STEP_ACCOUNTS);
    const failed = await books.change((turn) => {
      const book = new OverlaidBook(turn.book(accountsBook(call.project.id)));
      return step.flatMap((item) => importOne({ turn, call, book }, item, mayOverwrite));
    });
    errors.push(...failed);
  }
  return errors;
}

/** Where an account is imported. */
interface ImportPlace {
  readonly turn: BooksTurn;
  readonly call: IdentityCall;
  /** Of the accounts, as the import has left it. */
  readonly book: BookTurn;
}

function importOne(
  { turn, call, book }: ImportPlace,
  { index, account }: ImportItem,
  mayOverwrite: boolean,
): readonly ItemError[] {
  try {
    const before = findAccount(book, account.uid);
    if (before !== undefined && !mayOverwrite)
      throw new ImportProblem('localId belongs to an existing account - can not overwrite.');
    if (before !== undefined && isMember(turn, call.project.id, account.uid)) mustSpare(turn, call, account);
    mustBeUnique(book, account);
    saveAccount(book, before, before === undefined ? account : overwrite(before, account));
    if (before !== undefined && account.isDisabled) endSessions(book, account.uid);
    return [];
  } catch (error) {
    if (!(error instanceof ImportProblem)) throw error;
    return [{ index, message: error.message }];
  }
}

/**
 * Members are neither changed by others than owners nor disabled: there would have to be an owner after all accounts of the
 * step, and not only after this one.
 */
function mustSpare(turn: BooksTurn, call: IdentityCall, { uid, isDisabled }: Account): void {
  if (isDisabled) throw new ImportProblem('the account is that of a member - disable it by itself.');
  try {
    mustSpareMembers(turn, call, uid);
  } catch (cause) {
    if (!(cause instanceof IdentityError)) throw cause;
    throw new ImportProblem(cause.detail ?? cause.code, cause);
  }
}

/** An import says nothing of sessions, and cannot bring the secrets of second factors: these remain. */
function overwrite(before: Account, account: Account): Account {
  const factors = [...before.factors.filter(({ kind }) => kind !== 'phone'), ...account.factors];
  if (factors.length > MAX_FACTORS)
    throw new ImportProblem(`The account would have more than ${MAX_FACTORS} second factors.`);
  return {
    ...account,
    validSinceSec: before.validSinceSec,
    factors,
    recoveryCodes: before.recoveryCodes,
  };
}

function mustBeUnique(book: BookView, { uid, email, phoneNumber, identities }: Account): void {
  const isOther = (owner: Account | undefined): boolean => owner !== undefined && owner.uid !== uid;
  if (email !== null && isOther(findAccountByEmail(book, email)))
    throw new ImportProblem('email exists in other account in database');
  if (phoneNumber !== null && isOther(findAccountByPhone(book, phoneNumber)))
    throw new ImportProblem('phone number exists in other account in database');
  for (const { providerId, rawId } of identities)
    if (isOther(findAccountByIdentity(book, providerId, rawId)))
      throw new ImportProblem('raw id exists in other account in database');
}
