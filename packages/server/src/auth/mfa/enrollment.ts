import { nextValidSinceOf } from '../accounts/account.ts';
import { accountsBook, saveAccount } from '../accounts/account-store.ts';
import { randomId } from '../accounts/field-parsers.ts';
import { mailSecondFactor } from '../codes/issue.ts';
import { mailNotice } from '../codes/mails.ts';
import type { JsonObject } from '../fields.ts';
import type { IdentityCall } from '../request.ts';
import { type IdentityServices, tellAudit } from '../services.ts';
import {
  factsOfToken,
  mustBeRecent,
  mustFindHolder,
  mustVerifyToken,
  readHolder,
} from '../sign-in/current-user.ts';
import { endSessions, startSession } from '../sign-in/session-store.ts';
import { tokensOfSession } from '../sign-in/session-tokens.ts';
import { mustFindFactor, mustNameFactor, parseFactorName, withNewFactor, withoutFactor } from './factor.ts';
import { mustAskForKind } from './kinds.ts';
import { mustAllowEnrollment, mustAllowWithdrawal, mustBeOffered } from './policy.ts';

/**
 * `mfaEnrollment:start`: returns the data that the user needs to set up a second factor. Stores nothing until
 * the enrollment is finished.
 */
export async function startFactorEnrollment(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { project, fields } = call;
  const { kind, block } = mustAskForKind(fields, 'startEnrollment', project.settings);
  const { token, account } = await readHolder(call, services);
  services.books.read((view) => mustBeOffered(view, kind, project, account.uid));
  const nowMs = services.clock.nowMs();
  mustAllowEnrollment(account, token, kind, nowMs);
  return kind.startEnrollment({ project, services, account, nowMs }, block);
}

const ID_LENGTH = 28;

/**
 * `mfaEnrollment:finalize`: adds a second factor after the user has proven it with a code. Returns tokens of a
 * new session that includes the factor; earlier sessions remain.
 */
export async function finishFactorEnrollment(
  call: IdentityCall,
  services: IdentityServices,
): Promise<JsonObject> {
  const { project, fields } = call;
  const { kind, block } = mustAskForKind(fields, 'finish', project.settings);
  const displayName = parseFactorName(fields);
  const token = await mustVerifyToken(call, services);
  const enrollmentId = randomId(ID_LENGTH, services.randomBytes);
  const { account, session, answer } = await services.books.change((turn) => {
    const { nowMs } = turn;
    const book = turn.book(accountsBook(project.id));
    const before = mustFindHolder(book, token);
    mustBeOffered(turn, kind, project, before.uid);
    mustAllowEnrollment(before, token, kind, nowMs);
    const enrolled = kind.finishEnrollment({ project, services, account: before, nowMs }, block, {
      enrollmentId,
      displayName,
      enrolledAtMs: nowMs,
    });
    const after = withNewFactor(before, enrolled.factor);
    saveAccount(book, before, after);
    mailSecondFactor(turn, call, services, after, enrollmentId);
    const facts = { ...factsOfToken(book, token), secondFactor: { kind: kind.name, enrollmentId } };
    const begun = startSession(book, call, services, after.uid, facts, nowMs);
    return { account: after, session: begun, answer: enrolled.answer };
  });
  tellAudit(services, call, 'second_factor_added', account.uid, { detail: kind.name });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken, ...answer };
}

/**
 * `mfaEnrollment:withdraw`: removes a second factor, and ends the sessions that began with it. If the caller's
 * session is one of them, all sessions end: tokens are then valid only from now on, and a remaining session
 * would appear to have begun now. Returns tokens of a session without the factor.
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
