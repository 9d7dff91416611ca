import { type Account, nextValidSinceOf } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { randomId } from '../accounts/field-parsers.ts';
import { mailSecondFactor } from '../codes/issue.ts';
import { mailNotice } from '../codes/mails.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { requireSmsAccepted } from '../phone/queue-sms.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import {
  claimsOfSignIn,
  readCurrentUser,
  requireCurrentUser,
  requireRecentSignIn,
  requireVerifiedToken,
} from '../sign-in/current-user.ts';
import type { Session } from '../sign-in/session.ts';
import { endSessions, startSession } from '../sign-in/session-store.ts';
import { tokensOfSession } from '../sign-in/session-tokens.ts';
import {
  parseFactorName,
  requireFactor,
  requireFactorId,
  type WrongProof,
  withNewFactor,
  withoutFactor,
} from './factor.ts';
import { requireKind } from './kinds.ts';
import { requireEnrollmentAllowed, requireOffered, requireWithdrawalAllowed } from './policy.ts';

/**
 * `mfaEnrollment:start`: returns the data that the user needs to set up a second factor. The account does not change
 * until the enrollment is finished.
 */
export async function startFactorEnrollment(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, fields } = call;
  const { kind, block } = requireKind(fields, 'startEnrollment', project.settings);
  const { token, account } = await readCurrentUser(call, services);
  services.recordStore.read((view) => requireOffered(view, kind, project, account.uid));
  requireEnrollmentAllowed(account, token, kind, services.clock.nowMs());
  const isAppProven = (await kind.admitEnrollment?.(call, services, block)) ?? false;
  const answer = await services.recordStore.change((transaction) => {
    const { nowMs } = transaction;
    return kind.startEnrollment({ call, transaction, project, services, account, nowMs }, block, isAppProven);
  });
  await requireSmsAccepted(call, services);
  return answer;
}

const ID_LENGTH = 28;

type EnrollmentOutcome =
  | {
      readonly kind: 'enrolled';
      readonly account: Account;
      readonly session: Session;
      readonly answer: JsonObject;
    }
  /** A returned outcome and not a thrown error, so that the transaction commits the failed attempt. */
  | { readonly kind: 'wrong'; readonly uid: string; readonly error: WrongProof['error'] };

/**
 * `mfaEnrollment:finalize`: adds a second factor after the user has proven it with a code. Returns tokens of a
 * new session that includes the factor; earlier sessions remain.
 */
export async function finishFactorEnrollment(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, fields } = call;
  const { kind, block } = requireKind(fields, 'finish', project.settings);
  const displayName = parseFactorName(fields);
  const token = await requireVerifiedToken(call, services);
  const enrollmentId = randomId(ID_LENGTH, services.randomBytes);
  const outcome = await services.recordStore.change((transaction): EnrollmentOutcome => {
    const { nowMs } = transaction;
    const records = transaction.records(accountRecords(project.scope));
    const before = requireCurrentUser(records, token);
    requireOffered(transaction, kind, project, before.uid);
    requireEnrollmentAllowed(before, token, kind, nowMs);
    const enrolled = kind.finishEnrollment(
      { call, transaction, project, services, account: before, nowMs },
      block,
      { enrollmentId, displayName, enrolledAtMs: nowMs },
    );
    if ('error' in enrolled) return { kind: 'wrong', uid: before.uid, error: enrolled.error };
    const after = withNewFactor(before, enrolled.factor);
    saveAccount(records, before, after);
    mailSecondFactor(transaction, call, services, after, enrollmentId);
    const signInClaims = {
      ...claimsOfSignIn(records, token),
      secondFactor: { kind: kind.name, enrollmentId },
    };
    const newSession = startSession(records, call, services, after.uid, signInClaims, nowMs);
    return { kind: 'enrolled', account: after, session: newSession, answer: enrolled.answer };
  });
  if (outcome.kind === 'wrong') {
    recordAudit(services, call, 'second_factor_failed', outcome.uid, { result: outcome.error });
    throw new AuthApiError(outcome.error);
  }
  const { account, session, answer } = outcome;
  recordAudit(services, call, 'second_factor_added', account.uid, { detail: kind.name });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken, ...answer };
}

/**
 * `mfaEnrollment:withdraw`: removes a second factor, and ends the sessions that began with it. If the caller's
 * session is one of them, all sessions end: the removal then revokes all tokens, and new tokens of an older session
 * would count as a recent sign-in. Returns tokens of a session without the factor.
 */
export async function withdrawFactor(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, fields } = call;
  const token = await requireVerifiedToken(call, services);
  const enrollmentId = requireFactorId(fields);
  const { account, session, kind } = await services.recordStore.change((transaction) => {
    const { nowMs } = transaction;
    const records = transaction.records(accountRecords(project.scope));
    const before = requireCurrentUser(records, token);
    requireRecentSignIn(before, token, nowMs);
    const factor = requireFactor(before, enrollmentId);
    requireWithdrawalAllowed(factor, token);
    const signInClaims = claimsOfSignIn(records, token);
    const usesIt = signInClaims.secondFactor?.enrollmentId === enrollmentId;
    const after = {
      ...withoutFactor(before, enrollmentId),
      ...(usesIt ? { validSinceSec: nextValidSinceOf(before, token, nowMs) } : {}),
    };
    saveAccount(records, before, after);
    mailNotice(transaction, call, services, after, 'secondFactorRemoved');
    if (usesIt) endSessions(records, after.uid);
    else endSessions(records, after.uid, ({ secondFactor }) => secondFactor?.enrollmentId === enrollmentId);
    const remaining = usesIt ? { ...signInClaims, secondFactor: null } : signInClaims;
    const newSession = startSession(records, call, services, after.uid, remaining, nowMs);
    return { account: after, session: newSession, kind: factor.kind };
  });
  recordAudit(services, call, 'second_factor_removed', account.uid, { detail: kind });
  const { idToken, refreshToken } = await tokensOfSession(services, project, account, session);
  return { idToken, refreshToken };
}
