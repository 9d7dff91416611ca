import { RequestError } from '@hearth/core/error/request-error.ts';
import { findKeyInteger } from '@hearth/core/tree/key.ts';
import type { RecordStore, RecordView } from '../../../records/store.ts';
import type { AccountScope } from '../../tenants/scope.ts';
import type { Account } from '../account.ts';
import { type AccountFilter, isMatch } from '../account-filter.ts';
import { nameKeys, nameStart, uidOfEntry } from '../account-index.ts';
import { accountRecords, findAccount, findAccountByEmail, findAccountByPhone } from '../account-store.ts';
import { userJson } from '../user-json.ts';
import { type FilteredPage, MAX_EXAMINED } from './filtered-list.ts';
import { type ListSteps, STEP_ACCOUNTS } from './list-steps.ts';

/** Greatest number that sorts as a number among keys. Greater numbers sort as text. */
const MAX_NUMBER = 2 ** 31 - 1;

/** A part of an index that has the keys of one kind of value that start with a text. */
interface Section {
  /** Returns the keys after one of them, or the first ones. Fewer than `limit` keys mean that no key follows. Some may not start with the text. */
  list(records: RecordView, after: string | null, limit: number): readonly string[];
  /** Returns the account of a key, or `undefined` if there is none. */
  find(records: RecordView, key: string): Account | undefined;
  /** Returns the keys of an account in this section that start with the text. */
  keysOf(account: Account): readonly string[];
}

/** The accounts to list: those with a value that starts with the text, after a place in the list. */
export interface PrefixRange {
  readonly text: string;
  /** `next` of the previous page; `null` starts at the first account. */
  readonly after: string | null;
  readonly limit: number;
}

/** Lists of accounts with a value that starts with a text. */
export class PrefixLists {
  readonly #recordStore: RecordStore;
  readonly #steps: ListSteps;

  constructor(recordStore: RecordStore, steps: ListSteps) {
    this.#recordStore = recordStore;
    this.#steps = steps;
  }

  /**
   * Returns the next accounts that match a filter and have a value that starts with a text: an email address, a word of the
   * name, a phone number or the user ID, in this order. Ignores case except for user IDs. Each account is on one page only.
   * Reads only indexes, in steps between which other requests run, and about `MAX_EXAMINED` entries for a page at most. Throws
   * `http/parameter` if `after` is not from a page for this text.
   */
  async list(
    scope: AccountScope,
    { text, after, limit }: PrefixRange,
    filter: AccountFilter,
  ): Promise<FilteredPage> {
    const sections = sectionsOf(text);
    const found: Account[] = [];
    let examined = 0;
    /** Number of entries that the current step may still read. */
    let left = 0;
    let place = after === null ? START : parsePlace(after, sections.length);
    const pageOf = (next: Place | null): FilteredPage => ({
      accounts: found.map((account) => userJson(account, scope)),
      next: next === null ? null : printPlace(next),
      examined,
    });
    for (let section = sections[place.section]; section !== undefined; section = sections[place.section]) {
      if (left === 0) {
        if (examined >= MAX_EXAMINED) return pageOf(place);
        await this.#steps.enter();
        left = STEP_ACCOUNTS;
      }
      const entries = this.#read(scope, section, place.key, left);
      for (const { key, account } of entries) {
        examined += 1;
        place = { ...place, key };
        if (account === undefined || !isMatch(account, filter)) continue;
        if (isListedAt(account, key, sections, place.section)) found.push(account);
        if (found.length === limit) return pageOf(place);
      }
      if (entries.length < left) place = { section: place.section + 1, key: null };
      left -= entries.length;
    }
    return pageOf(null);
  }

  #read(scope: AccountScope, { list, find }: Section, after: string | null, limit: number) {
    return this.#recordStore.read((view) => {
      const records = view.records(accountRecords(scope));
      return list(records, after, limit).map((key) => ({ key, account: find(records, key) }));
    });
  }
}

/** A place in the list: after a key of a section; `null` is before its first key. */
interface Place {
  readonly section: number;
  readonly key: string | null;
}

const START: Place = { section: 0, key: null };

function printPlace({ section, key }: Place): string {
  return key === null ? String(section) : `${section}:${key}`;
}

function parsePlace(text: string, sections: number): Place {
  const [, number, key] = /^(\d{1,2})(?::(.+))?$/su.exec(text) ?? [];
  if (number === undefined || Number(number) >= sections)
    throw new RequestError(
      'http/parameter',
      'The query parameter after must be next of the previous page, with the same prefix.',
    );
  return { section: Number(number), key: key ?? null };
}

/** Returns whether the list shows an account at this key: at one of its keys, in the first section that has one. */
function isListedAt(account: Account, key: string, sections: readonly Section[], index: number): boolean {
  if (sections.slice(0, index).some((earlier) => earlier.keysOf(account).length > 0)) return false;
  return sections[index]?.keysOf(account).toSorted()[0] === key;
}

function sectionsOf(text: string): readonly Section[] {
  const name = nameStart(text);
  const phone = phoneStart(text);
  return [
    emailSection(text.toLowerCase()),
    ...(name === '' ? [] : [nameSection(name)]),
    ...(phone === undefined ? [] : [phoneSection(phone)]),
    ...numberRanges(text).map((range) => numberSection(text, range)),
    uidSection(text),
    exactUidSection(text),
  ];
}

/** Returns keys that start with a text, after one of them. */
function listPrefixed(
  records: RecordView,
  index: string,
  prefix: string,
  after: string | null,
  limit: number,
): readonly string[] {
  const range = after === null ? { prefix, limit } : { after, limit };
  return records.listKeys([index], range).filter((key) => key.startsWith(prefix));
}

function emailSection(start: string): Section {
  return {
    list: (records, after, limit) => listPrefixed(records, 'emails', start, after, limit),
    find: findAccountByEmail,
    keysOf: ({ email }) => (email?.startsWith(start) ? [email] : []),
  };
}

function nameSection(start: string): Section {
  return {
    list: (records, after, limit) => listPrefixed(records, 'names', start, after, limit),
    find: (records, entry) => findAccount(records, uidOfEntry(entry)),
    keysOf: ({ uid, displayName }) => nameKeys(displayName ?? '', uid).filter((key) => key.startsWith(start)),
  };
}

function phoneSection(start: string): Section {
  return {
    list: (records, after, limit) => listPrefixed(records, 'phones', start, after, limit),
    find: findAccountByPhone,
    keysOf: ({ phoneNumber }) => (phoneNumber?.startsWith(start) ? [phoneNumber] : []),
  };
}

/** User IDs that are not numbers; numbers sort apart from them. */
function uidSection(start: string): Section {
  return {
    list: (records, after, limit) => listPrefixed(records, 'accounts', start, after, limit),
    find: findAccount,
    keysOf: ({ uid }) => (uid.startsWith(start) && findKeyInteger(uid) === undefined ? [uid] : []),
  };
}

/** The user ID that is the text, such as a negative number, which no other section has. */
function exactUidSection(text: string): Section {
  return {
    list: (_records, after) => (after === null ? [text] : []),
    find: findAccount,
    keysOf: ({ uid }) => (uid === text ? [uid] : []),
  };
}

/** Numbers among keys, from the key `from` to the value `to`. */
interface NumberRange {
  readonly from: string;
  readonly to: number;
}

/**
 * Returns the ranges of user IDs that are numbers and start with the digits. Numbers sort by value: for 12 the ranges are 12, 120
 * to 129, and so on; for 0012 they are 0012, 00120 to 00129, and so on. IDs that start with 0 alone are among all numbers.
 */
function numberRanges(digits: string): readonly NumberRange[] {
  if (!/^\d+$/.test(digits)) return [];
  const value = Number(digits);
  if (value === 0) return [{ from: digits, to: MAX_NUMBER }];
  const ranges: NumberRange[] = [];
  for (let from = digits, factor = 1; value * factor <= MAX_NUMBER; from += '0', factor *= 10)
    ranges.push({ from, to: value * factor + factor - 1 });
  return ranges;
}

function numberSection(digits: string, { from, to }: NumberRange): Section {
  const isWithin = (key: string): boolean => (findKeyInteger(key) ?? Number.POSITIVE_INFINITY) <= to;
  return {
    list: (records, after, limit) =>
      records.listKeys(['accounts'], after === null ? { from, limit } : { after, limit }).filter(isWithin),
    find: findAccount,
    keysOf: ({ uid }) =>
      uid.startsWith(digits) && isWithin(uid) && (to === MAX_NUMBER || uid.length === from.length)
        ? [uid]
        : [],
  };
}

/** Returns the text as the start of an E.164 number, or `undefined` if no number can start with it. */
function phoneStart(text: string): string | undefined {
  const digits = /^\+?(?<digits>\d{2,15})$/.exec(text.replace(/[\s().-]/g, ''))?.groups?.['digits'];
  return digits === undefined ? undefined : `+${digits}`;
}
