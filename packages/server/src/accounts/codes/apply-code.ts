import type { Account } from '../account.ts';
import { accountsBook, saveAccount } from '../account-book.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { endSessions } from '../session-book.ts';
import { tellAudit } from '../tell-audit.ts';
import { updatedAccountJson } from '../updated-account-json.ts';
import { afterCode, type PlainCode } from './after-code.ts';
import { type FoundCode, mustFindCode, removeCode, removeCodesOf } from './code-book.ts';
import type { CodeKind } from './code-purpose.ts';
import { mailNotice } from './mail-notice.ts';
import { mailOldAddress } from './mail-old-address.ts';
import { mustFindMeant } from './must-find-meant.ts';
import { voidUnprovenRecoveries } from './void-unproven-recoveries.ts';

const PROVES_ADDRESS: ReadonlySet<CodeKind> = new Set(['VERIFY_EMAIL', 'VERIFY_AND_CHANGE_EMAIL']);

interface AppliedCode {
  readonly kind: PlainCode['purpose']['kind'];
  readonly account: Account;
}

/** `accounts:update` with a code out of a mail: does what the code is for and uses it up, or neither. */
export async function applyCode(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const text = call.fields.mustHave('oobCode', 'MISSING_OOB_CODE');
  const { kind, account } = await services.books.change((turn): AppliedCode => {
    const book = turn.book(accountsBook(call.project.id));
    const code = mustBePlain(mustFindCode(book, text, turn.nowMs));
    const before = mustFindMeant(book, code.purpose);
    const after = afterCode(before, code, turn.nowMs);
    removeCode(book, code);
    saveAccount(book, before, after);
    if (code.purpose.kind === 'REVERT_SECOND_FACTOR_ADDITION')
      mailNotice(turn, call, services, after, 'secondFactorRemoved');
    if (code.purpose.kind !== 'VERIFY_EMAIL') endSessions(book, after.uid);
    if (PROVES_ADDRESS.has(code.purpose.kind)) voidUnprovenRecoveries(book, after.uid);
    if (code.purpose.kind === 'VERIFY_AND_CHANGE_EMAIL') mailOldAddress(turn, call, services, before, after);
    // What came later may have gone to whoever took the address away, who would take it again.
    if (code.purpose.kind === 'RECOVER_EMAIL')
      removeCodesOf(book, after.uid, ({ sinceMs }) => sinceMs >= code.sinceMs);
    return { kind: code.purpose.kind, account: after };
  });
  tellAudit(services, call, 'code_used', account.uid, { detail: kind });
  const newEmail = kind === 'VERIFY_AND_CHANGE_EMAIL' ? { newEmail: account.email } : {};
  return { ...updatedAccountJson(account), ...newEmail };
}

/** Codes to reset a password and to sign in need more than the code. */
function mustBePlain(code: FoundCode): PlainCode {
  const { purpose } = code;
  if (purpose.kind === 'PASSWORD_RESET' || purpose.kind === 'EMAIL_SIGNIN')
    throw new IdentityError('INVALID_OOB_CODE');
  return { ...code, purpose };
}
