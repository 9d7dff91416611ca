import type { BookTurn } from '../../books/books.ts';
import type { Account } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { mustSpareLastOwner, mustSpareMembers } from '../members/must-spare-members.ts';
import { nextValidSince } from '../next-valid-since.ts';
import { mustBeAcceptable } from '../password-rules.ts';
import { forgetTries } from '../second-factor/factor-tries.ts';
import { endSessions } from '../session-book.ts';
import { tellAudit } from '../tell-audit.ts';
import { updatedAccountJson } from '../updated-account-json.ts';
import { applyChange } from './apply-change.ts';
import { mustFindAccount, mustNameAccount } from './must-find-account.ts';
import { parseCustomAttributes } from './parse-custom-attributes.ts';

/** What an audit names when an administrator changes it. */
const TOLD = [
  'email',
  'emailVerified',
  'password',
  'phoneNumber',
  'disableUser',
  'customAttributes',
  'validSince',
  'mfa',
  'linkProviderUserInfo',
  'deleteProvider',
  'deleteAttribute',
  'displayName',
  'photoUrl',
] as const;

/** `accounts:update` by an administrator, of any account, disabled ones too. */
export async function updateByAdmin(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { fields, project } = call;
  const uid = mustNameAccount(fields);
  parseCustomAttributes(fields);
  const password = fields.filled('password');
  if (password !== undefined) mustBeAcceptable(password, project);
  const hash = password === undefined ? undefined : await services.passwords.hashEncoded(password);
  const account = await services.books.change((turn) => {
    const book = turn.book(accountsBook(project.id));
    const before = mustFindAccount(book, uid);
    mustSpareMembers(turn, call, uid);
    const after = applyChange(before, fields, {
      nowMs: turn.nowMs,
      nextValidSinceSec: nextValidSince(before, turn.nowMs),
      hash,
    });
    if (after.isDisabled) mustSpareLastOwner(turn, project.id, uid);
    saveAccount(book, before, after);
    endInvalidSessions(book, before, after, fields);
    return after;
  });
  if (password !== undefined && account.email !== null) services.throttle.lift(call, account.email);
  const told = TOLD.filter((name) => fields.has(name));
  tellAudit(services, call, 'account_updated', uid, { detail: told.join(', ') });
  const newEmail = fields.filled('email') === undefined ? {} : { newEmail: account.email };
  return { ...updatedAccountJson(account), ...newEmail };
}

/** A change of how somebody proves who they are ends all sessions; a factor that is gone ends those that used it. */
function endInvalidSessions(book: BookTurn, before: Account, after: Account, fields: Fields): void {
  const isRevoked =
    fields.has('validSince') ||
    after.validSinceSec > before.validSinceSec ||
    (after.isDisabled && !before.isDisabled);
  const left = new Set(after.factors.map(({ enrollmentId }) => enrollmentId));
  if (isRevoked) {
    endSessions(book, after.uid);
    forgetTries(book, after.uid);
  } else if (before.factors.some(({ enrollmentId }) => !left.has(enrollmentId)))
    endSessions(
      book,
      after.uid,
      ({ secondFactor }) => secondFactor !== null && !left.has(secondFactor.enrollmentId),
    );
}
