import { accountsBook, saveAccount } from '../account-book.ts';
import { mustBeRecent, mustFindHolder, mustVerifyToken } from '../caller-account.ts';
import { mailNotice } from '../codes/mail-notice.ts';
import { factsOfToken } from '../facts-of-token.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../identity-call.ts';
import type { IdentityServices } from '../identity-services.ts';
import { nextValidSinceOf } from '../next-valid-since.ts';
import { mustAllowWithdrawal } from '../second-factor/must-allow-withdrawal.ts';
import { mustFindFactor, mustNameFactor } from '../second-factor/must-find-factor.ts';
import { withoutFactor } from '../second-factor/with-factor.ts';
import { endSessions } from '../session-book.ts';
import { startSession } from '../start-session.ts';
import { tellAudit } from '../tell-audit.ts';
import { tokensOfSession } from '../tokens-of-session.ts';

/**
 * `mfaEnrollment:withdraw`: the account is without the factor, and what began with it ends; all sessions, if the caller's did:
 * tokens count anew from then on, and a session that went on would seem to have begun then. Answers with tokens of a session
 * that says nothing of the factor.
 */
export async function withdrawFactor(call: IdentityCall, services: IdentityServices): Promise<JsonObject> {
  const { project, fields } = call;
  const token = await mustVerifyToken(call, services);
  const enrollmentId = mustNameFactor(fields);
  const { account, session, kind } = await services.books.change((turn) => {
    const { nowMs } = turn;
    const book = turn.book(accountsBook(project.id));
    const before = mustFindHolder(book, token);
    mustBeRecent(before, token, nowMs);
    const factor = mustFindFactor(before, enrollmentId);
    mustAllowWithdrawal(factor, token);
    const facts = factsOfToken(book, token);
    const usesIt = facts.secondFactor?.enrollmentId === enrollmentId;
    const after = {
      ...withoutFactor(before, enrollmentId),
      ...(usesIt ? { validSinceSec: nextValidSinceOf(before, token, nowMs) } : {}),
    };
    saveAccount(book, before, after);
    mailNotice(turn, call, services, after, 'secondFactorRemoved');
    if (usesIt) endSessions(book, after.uid);
    else endSessions(book, after.uid, ({ secondFactor }) => secondFactor?.enrollmentId === enrollmentId);
    const remaining = usesIt ? { ...facts, secondFactor: null } : facts;
    const begun = startSession(book, call, services, after.uid, remaining, nowMs);
    return { account: after, session: begun, kind: factor.kind };
  });
  tellAudit(services, call, 'second_factor_removed', account.uid, { detail: kind });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken };
}
