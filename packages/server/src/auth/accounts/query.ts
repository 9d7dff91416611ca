import { setImmediate } from 'node:timers/promises';
import type { RecordPath, RecordRow, RecordStore, RowRange } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { type Account, decodeAccount } from './account.ts';
import { findCount } from './account-index.ts';
import { accountRecords, findAccount, findAccountByEmail, findAccountByPhone } from './account-store.ts';
import { userJson } from './user-json.ts';

/** The fields by which a list of accounts can be sorted. The first is the default. */
const SORT_FIELDS = [
  'SORT_BY_FIELD_UNSPECIFIED',
  'USER_ID',
  'NAME',
  'CREATED_AT',
  'LAST_LOGIN_AT',
  'USER_EMAIL',
] as const;

export type SortField = (typeof SORT_FIELDS)[number];

export interface AccountOrder {
  readonly field: SortField;
  readonly isDescending: boolean;
}

/** Returns the value by which an account is sorted. Accounts without a value come first. */
function sortKey(
  { displayName, createdAtMs, lastLoginAtMs, email }: Account,
  field: SortField,
): string | number {
  switch (field) {
    case 'SORT_BY_FIELD_UNSPECIFIED':
    case 'USER_ID':
      return '';
    case 'NAME':
      return displayName ?? '';
    case 'CREATED_AT':
      return createdAtMs;
    case 'LAST_LOGIN_AT':
      return lastLoginAtMs ?? 0;
    case 'USER_EMAIL':
      return email ?? '';
    default:
      return field satisfies never;
  }
}

/** Compares two accounts in an order. Accounts that are equal in it are ordered by user id. */
function compareAccounts(a: Account, b: Account, { field, isDescending }: AccountOrder): number {
  const order = compare(sortKey(a, field), sortKey(b, field)) || compare(a.uid, b.uid);
  return isDescending ? -order : order;
}

function compare(a: string | number, b: string | number): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** Maximum number of user IDs that are read in one step, so that other requests do not wait long. */
const STEP_NAMES = 1_000;

/**
 * Returns the number of accounts of a project. Takes time in proportion to that number only until the index is
 * complete.
 */
export async function countAccounts(recordStore: RecordStore, scope: AccountScope): Promise<number> {
  const kept = recordStore.read((view) => findCount(view.records(accountRecords(scope))));
  return kept ?? countEach(recordStore, scope);
}

async function countEach(recordStore: RecordStore, scope: AccountScope): Promise<number> {
  let count = 0;
  let after: string | undefined;
  for (;;) {
    const range = { limit: STEP_NAMES, ...(after === undefined ? {} : { after }) };
    const keys = recordStore.read((view) =>
      view.records(accountRecords(scope)).listKeys(['accounts'], range),
    );
    count += keys.length;
    after = keys.at(-1);
    if (keys.length < STEP_NAMES) return count;
    await setImmediate();
  }
}

/** Maximum number of rows that are read in one step, so that other requests do not wait long. */
const STEP_ROWS = 250;

export interface StepOptions {
  /** Only keys that start with this text. */
  readonly prefix?: string;
  /** Only keys after this one. Not allowed together with `prefix`. */
  readonly after?: string;
  readonly isReversed?: boolean;
}

/** Reads the rows at a path of a record store in order, in steps between which other requests run. */
export async function* readInSteps(
  recordStore: RecordStore,
  records: string,
  location: RecordPath,
  { prefix = '', after, isReversed = false }: StepOptions = {},
): AsyncGenerator<readonly RecordRow[]> {
  let start: Omit<RowRange, 'limit'> = {
    ...(prefix === '' ? {} : { prefix }),
    ...(after === undefined ? {} : { after }),
  };
  for (;;) {
    const range = { ...start, limit: STEP_ROWS, isReversed };
    const rows = recordStore.read((view) => view.records(records).list(location, range));
    const fitting = rows.filter(({ key }) => key.startsWith(prefix));
    yield fitting;
    const last = fitting.at(-1)?.key;
    if (last === undefined || fitting.length < STEP_ROWS) return;
    start = isReversed ? { before: last } : { after: last };
    await setImmediate();
  }
}

/** Returns the first `limit` rows after the first `offset` rows. */
export async function takeRows(
  steps: AsyncIterable<readonly RecordRow[]>,
  offset: number,
  limit: number,
): Promise<readonly RecordRow[]> {
  const taken: RecordRow[] = [];
  let skipped = 0;
  for await (const rows of steps) {
    const from = Math.min(rows.length, offset - skipped);
    skipped += from;
    taken.push(...rows.slice(from, from + limit - taken.length));
    if (taken.length === limit) break;
  }
  return taken;
}

/**
 * Returns the first `count` accounts of a project in an order. Holds only these and the accounts of one step in
 * memory. Takes time in proportion to the number of all accounts.
 */
async function findFirstAccounts(
  recordStore: RecordStore,
  scope: AccountScope,
  order: AccountOrder,
  count: number,
): Promise<readonly Account[]> {
  const compare = (a: Account, b: Account): number => compareAccounts(a, b, order);
  let first: Account[] = [];
  for await (const rows of readInSteps(recordStore, accountRecords(scope), ['accounts'])) {
    const last = first.length < count ? undefined : first.at(-1);
    const step = rows.map(({ key, value }) => decodeAccount(key, value));
    first.push(...step.filter((account) => last === undefined || compare(account, last) < 0));
    if (first.length > count) first = first.sort(compare).slice(0, count);
  }
  return first.sort(compare);
}

const DEFAULT_LIMIT = 500;
const MAX_LIMIT = 500;
/** For greater offsets, clients can use `accounts:batchGet`, which reads all accounts without sorting. */
const MAX_OFFSET = 10_000;
const ORDERS = ['ORDER_UNSPECIFIED', 'ASC', 'DESC'] as const;

/**
 * `accounts:query`: returns the number of accounts, a single account, the accounts whose address starts with
 * `emailPrefix`, or the accounts from `offset` on in an order.
 */
export async function queryAccounts(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  const window = parseWindow(fields);
  const isDescending = fields.choice('order', ORDERS) === 'DESC';
  const isCount = fields.flag('returnUserInfo') === false;
  const expressions = fields.objects('expression') ?? [];
  const [expression] = expressions;
  if (expressions.length > 1) throw new AuthApiError('INVALID_ARGUMENT', '"expression" must have one entry.');
  if (expression !== undefined) {
    const found = await findExpressed(services.recordStore, project.scope, expression, window, isDescending);
    return isCount ? { recordsCount: String(found.length) } : answer(found, project.scope);
  }
  if (isCount) return { recordsCount: String(await countAccounts(services.recordStore, project.scope)) };
  const field = fields.choice('sortBy', SORT_FIELDS) ?? 'USER_ID';
  return answer(
    await listAccounts(services.recordStore, project.scope, { field, isDescending }, window),
    project.scope,
  );
}

interface Window {
  readonly offset: number;
  readonly limit: number;
}

function parseWindow(fields: Fields): Window {
  const limit = fields.whole('limit') || DEFAULT_LIMIT;
  const offset = fields.whole('offset') ?? 0;
  if (limit < 0 || limit > MAX_LIMIT)
    throw new AuthApiError('INVALID_ARGUMENT', `"limit" must be at most ${MAX_LIMIT}.`);
  if (offset < 0 || offset > MAX_OFFSET)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      `"offset" must be at most ${MAX_OFFSET}: use accounts:batchGet to list all accounts.`,
    );
  return { offset, limit };
}

function answer(accounts: readonly Account[], scope: AccountScope): JsonObject {
  return {
    recordsCount: String(accounts.length),
    userInfo: accounts.map((account) => userJson(account, scope)),
  };
}

async function listAccounts(
  recordStore: RecordStore,
  scope: AccountScope,
  order: AccountOrder,
  { offset, limit }: Window,
): Promise<readonly Account[]> {
  if (order.field !== 'USER_ID' && order.field !== 'SORT_BY_FIELD_UNSPECIFIED')
    return (await findFirstAccounts(recordStore, scope, order, offset + limit)).slice(offset);
  const isReversed = order.isDescending;
  const steps = readInSteps(recordStore, accountRecords(scope), ['accounts'], { isReversed });
  const rows = await takeRows(steps, offset, limit);
  return rows.map(({ key, value }) => decodeAccount(key, value));
}

/** Returns the accounts that match an expression. Precedence: `email`, `emailPrefix`, `phoneNumber`, `userId`. */
async function findExpressed(
  recordStore: RecordStore,
  scope: AccountScope,
  expression: Fields,
  window: Window,
  isDescending: boolean,
): Promise<readonly Account[]> {
  const email = expression.filled('email');
  const prefix = expression.filled('emailPrefix');
  if (email === undefined && prefix !== undefined)
    return listByEmailPrefix(recordStore, scope, prefix.toLowerCase(), window, isDescending);
  const phoneNumber = expression.filled('phoneNumber');
  const found = recordStore.read((view) => {
    const records = view.records(accountRecords(scope));
    if (email !== undefined) return findAccountByEmail(records, email.toLowerCase());
    if (phoneNumber !== undefined) return findAccountByPhone(records, phoneNumber);
    return findAccount(records, expression.filled('userId') ?? '');
  });
  return found === undefined ? [] : [found];
}

async function listByEmailPrefix(
  recordStore: RecordStore,
  scope: AccountScope,
  prefix: string,
  { offset, limit }: Window,
  isReversed: boolean,
): Promise<readonly Account[]> {
  const name = accountRecords(scope);
  const rows = await takeRows(
    readInSteps(recordStore, name, ['emails'], { prefix, isReversed }),
    offset,
    limit,
  );
  return recordStore.read((view) =>
    rows.flatMap(({ value }) =>
      typeof value === 'string' ? (findAccount(view.records(name), value) ?? []) : [],
    ),
  );
}
