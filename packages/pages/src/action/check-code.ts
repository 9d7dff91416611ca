import { findRecord } from '../json/find-record.ts';
import { findText } from '../json/find-text.ts';
import type { JsonRecord } from '../json/is-record.ts';
import { call, type Fetch } from '../rest/call.ts';
import type { ActionLink, ActionMode } from './action-parameters.ts';
import type { Change, Factor, Problem, RefusalReason } from './action-screen.ts';
import { explainRefusal } from './explain-refusal.ts';
import { maskEmail } from './mask-email.ts';
import { maskPhone } from './mask-phone.ts';
import { LEAST_POLICY, type PasswordPolicy, parsePasswordPolicy } from './password-policy.ts';

/** What a code is good for. `email` is the whole address of the account. */
export type CheckedCode =
  | { readonly kind: 'newPassword'; readonly email: string; readonly policy: PasswordPolicy }
  | { readonly kind: 'confirm'; readonly email: string; readonly change: Change }
  | { readonly kind: 'refused'; readonly reason: RefusalReason }
  | { readonly kind: 'failed'; readonly problem: Problem };

const REQUEST_TYPES: Readonly<Record<ActionMode, string>> = {
  resetPassword: 'PASSWORD_RESET',
  verifyEmail: 'VERIFY_EMAIL',
  verifyAndChangeEmail: 'VERIFY_AND_CHANGE_EMAIL',
  recoverEmail: 'RECOVER_EMAIL',
  revertSecondFactorAddition: 'REVERT_SECOND_FACTOR_ADDITION',
};

/** Asks the server about the code of a link, which it does not use up. */
export async function checkCode(fetch: Fetch, link: ActionLink): Promise<CheckedCode> {
  const { mode, apiKey, oobCode, tenantId } = link;
  const [outcome, policy] = await Promise.all([
    call(fetch, { path: '/v1/accounts:resetPassword', apiKey, body: { oobCode, tenantId } }),
    mode === 'resetPassword' ? readPolicy(fetch, apiKey) : LEAST_POLICY,
  ]);
  if (outcome.kind === 'unreachable') return { kind: 'failed', problem: 'unreachable' };
  if (outcome.kind === 'refused') {
    const explanation = explainRefusal(outcome.code);
    return explanation.kind === 'over'
      ? { kind: 'refused', reason: explanation.reason }
      : { kind: 'failed', problem: explanation.problem };
  }
  const email = findText(outcome.json, 'email');
  // A code of another kind than the link says comes from somebody who pieced the link together.
  if (outcome.json['requestType'] !== REQUEST_TYPES[mode] || email === undefined)
    return { kind: 'refused', reason: 'invalidCode' };
  if (mode === 'resetPassword') return { kind: 'newPassword', email, policy };
  return { kind: 'confirm', email, change: describeChange(mode, email, outcome.json) };
}

async function readPolicy(fetch: Fetch, apiKey: string): Promise<PasswordPolicy> {
  const outcome = await call(fetch, { path: '/v2/passwordPolicy', apiKey });
  // The hints are a help; whether a password will do is the server's decision.
  return outcome.kind === 'answered' ? parsePasswordPolicy(outcome.json) : LEAST_POLICY;
}

function describeChange(kind: Change['kind'], address: string, json: JsonRecord): Change {
  const email = maskEmail(address);
  switch (kind) {
    case 'verifyEmail':
    case 'recoverEmail':
      return { kind, email };
    case 'verifyAndChangeEmail':
      return { kind, email, newEmail: maskEmail(findText(json, 'newEmail') ?? '') };
    case 'revertSecondFactorAddition':
      return { kind, email, factor: describeFactor(findRecord(json, 'mfaInfo') ?? {}) };
    default:
      return kind satisfies never;
  }
}

function describeFactor(json: JsonRecord): Factor {
  const name = findText(json, 'displayName');
  if (name !== undefined) return { kind: 'named', name };
  const phone = findText(json, 'phoneInfo');
  return phone === undefined ? { kind: 'authenticator' } : { kind: 'phone', number: maskPhone(phone) };
}
