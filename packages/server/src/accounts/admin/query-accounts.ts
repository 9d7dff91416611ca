import type { Books } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount, findAccountByEmail, findAccountByPhone } from '../account-book.ts';
import { decodeAccount } from '../account-record.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { userJson } from '../user-json.ts';
import { type AccountOrder, SORT_FIELDS } from './account-order.ts';
import { countAccounts } from './count-accounts.ts';
import { findFirstAccounts } from './find-first-accounts.ts';
import { readInSteps, takeRows } from './read-in-steps.ts';

const USUAL_LIMIT = 500;
const MAX_LIMIT = 500;
/** Beyond this, `accounts:batchGet` goes through all of them without sorting. */
const MAX_OFFSET = 10_000;
const ORDERS = ['ORDER_UNSPECIFIED', 'ASC', 'DESC'] as const;

/**
 * `accounts:query`: how many accounts there are, one that is named, those whose address begins with `emailPrefix`, or the
 * first ones in some order.
 */
export async function queryAccounts(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, project } = call;
  const window = parseWindow(fields);
  const isDescending = fields.choice('order', ORDERS) === 'DESC';
  const isCount = fields.flag('returnUserInfo') === false;
  const expressions = fields.objects('expression') ?? [];
  const [expression] = expressions;
  if (expressions.length > 1) throw new IdentityError('INVALID_ARGUMENT', '"expression" has one entry.');
  if (expression !== undefined) {
    const found = await findExpressed(services.books, project.id, expression, window, isDescending);
    return isCount ? { recordsCount: String(found.length) } : answer(found);
  }
  if (isCount) return { recordsCount: String(await countAccounts(services.books, project.id)) };
  const field = fields.choice('sortBy', SORT_FIELDS) ?? 'USER_ID';
  return answer(await listAccounts(services.books, project.id, { field, isDescending }, window));
}

interface Window {
  readonly offset: number;
  readonly limit: number;
}

function parseWindow(fields: Fields): Window {
  const limit = fields.whole('limit') || USUAL_LIMIT;
  const offset = fields.whole('offset') ?? 0;
  if (limit < 0 || limit > MAX_LIMIT)
    throw new IdentityError('INVALID_ARGUMENT', `"limit" is at most ${MAX_LIMIT}.`);
  if (offset < 0 || offset > MAX_OFFSET)
    throw new IdentityError('INVALID_ARGUMENT', `"offset" is at most ${MAX_OFFSET}: use accounts:batchGet.`);
  return { offset, limit };
}

function answer(accounts: readonly Account[]): JsonObject {
  return { recordsCount: String(accounts.length), userInfo: accounts.map(userJson) };
}

async function listAccounts(
  books: Books,
  projectId: string,
  order: AccountOrder,
  { offset, limit }: Window,
): Promise<readonly Account[]> {
  if (order.field !== 'USER_ID' && order.field !== 'SORT_BY_FIELD_UNSPECIFIED')
    return (await findFirstAccounts(books, projectId, order, offset + limit)).slice(offset);
  const isReversed = order.isDescending;
  const steps = readInSteps(books, accountsBook(projectId), ['accounts'], { isReversed });
  const rows = await takeRows(steps, offset, limit);
  return rows.map(({ key, value }) => decodeAccount(key, value));
}

/** An address counts before a phone number, and that before a name. */
async function findExpressed(
  books: Books,
  projectId: string,
  expression: Fields,
  window: Window,
  isDescending: boolean,
): Promise<readonly Account[]> {
  const email = expression.filled('email');
  const prefix = expression.filled('emailPrefix');
  if (email === undefined && prefix !== undefined)
    return listByEmailPrefix(books, projectId, prefix.toLowerCase(), window, isDescending);
  const phoneNumber = expression.filled('phoneNumber');
  const found = books.read((view) => {
    const book = view.book(accountsBook(projectId));
    if (email !== undefined) return findAccountByEmail(book, email.toLowerCase());
    if (phoneNumber !== undefined) return findAccountByPhone(book, phoneNumber);
    return findAccount(book, expression.filled('userId') ?? '');
  });
  return found === undefined ? [] : [found];
}

async function listByEmailPrefix(
  books: Books,
  projectId: string,
  prefix: string,
  { offset, limit }: Window,
  isReversed: boolean,
): Promise<readonly Account[]> {
  const name = accountsBook(projectId);
  const rows = await takeRows(readInSteps(books, name, ['emails'], { prefix, isReversed }), offset, limit);
  return books.read((view) =>
    rows.flatMap(({ value }) =>
      typeof value === 'string' ? (findAccount(view.book(name), value) ?? []) : [],
    ),
  );
}
