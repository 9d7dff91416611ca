import { createHash } from 'node:crypto';
import { RequestError } from '@hearth/core/error/request-error.ts';
import type { RecordStoreView } from '../../records/store.ts';
import { removeCodesOf } from '../codes/code-store.ts';
import type { JsonObject } from '../fields.ts';
import { removeAttempts } from '../mfa/attempts.ts';
import { movedFactor } from '../mfa/totp.ts';
import { isMember } from '../roles/member-store.ts';
import type { AuthServices } from '../services.ts';
import { countSessions, endSessions } from '../sign-in/session-store.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { type Account, nextValidSince } from './account.ts';
import { accountRecords, findAccount, saveMergedAccount } from './account-store.ts';
import { findDuplicates } from './duplicates.ts';
import { type MergePlan, type MergeProblem, planMerge } from './merge-plan.ts';
import { userJson } from './user-json.ts';

/** The user IDs of the account that remains and of the one that a merge removes. */
export interface MergedPair {
  readonly into: string;
  readonly from: string;
}

/** The effects that a merge would have. */
export interface MergePreview {
  /** In the format of the official API, like `from` and `merged`. */
  readonly into: JsonObject;
  readonly from: JsonObject;
  readonly merged: JsonObject;
  readonly moved: MergePlan['moved'];
  readonly lost: MergePlan['lost'];
  /** The number of sessions of the removed account, which end. */
  readonly endedSessions: number;
  readonly problem: MergeProblem | null;
  /** The value of `expected` with which the merge does what this preview shows. */
  readonly digest: string;
}

/** Finds accounts of the same user, and merges two of them into one. */
export class AccountMerges {
  readonly #services: Pick<AuthServices, 'recordStore' | 'secretBox' | 'throttle'>;

  constructor(services: Pick<AuthServices, 'recordStore' | 'secretBox' | 'throttle'>) {
    this.#services = services;
  }

  /** Returns what `findDuplicates` finds. Throws `account/unknown`. */
  async findDuplicates(scope: AccountScope, uid: string) {
    const found = await findDuplicates(this.#services.recordStore, scope, uid);
    if (found === undefined) throw new RequestError('account/unknown');
    return found;
  }

  /**
   * Returns the effects that a merge would have. Throws `account/unknown`, or `account/not-mergeable` for an account
   * with itself.
   */
  preview(scope: AccountScope, pair: MergedPair): MergePreview {
    return this.#services.recordStore.read((view) => {
      const { into, from, plan } = planOf(view, scope, pair);
      return {
        into: userJson(into, scope),
        from: userJson(from, scope),
        merged: userJson(plan.merged, scope),
        moved: plan.moved,
        lost: plan.lost,
        endedSessions: countSessions(view.records(accountRecords(scope)), from.uid),
        problem: plan.problem,
        digest: digestOf(pair, plan),
      };
    });
  }

  /**
   * Merges two accounts in one transaction, and returns the remaining one. The sessions, codes and attempts of the
   * removed account end. The sessions of the remaining one continue, unless the merge disables it. A merge cannot be
   * undone. Throws `account/unknown`, `account/not-mergeable`, or `account/changed` if the preview would have another
   * digest than `expected`.
   */
  merge(scope: AccountScope, pair: MergedPair, expected: string): Promise<JsonObject> {
    const { recordStore, secretBox, throttle } = this.#services;
    return recordStore.change((transaction) => {
      requireNotDeleted(transaction, scope);
      const { into, from, plan } = planOf(transaction, scope, pair);
      if (plan.problem !== null) throw new RequestError('account/not-mergeable', PROBLEMS[plan.problem]);
      if (digestOf(pair, plan) !== expected) throw new RequestError('account/changed');
      throttle.requireAllowedInProject(scope.projectId, 'deletions');
      const records = transaction.records(accountRecords(scope));
      const own = new Set(into.factors.map(({ enrollmentId }) => enrollmentId));
      const isDisabledNow = plan.merged.isDisabled && !into.isDisabled;
      const after: Account = {
        ...plan.merged,
        factors: plan.merged.factors.map((factor) =>
          own.has(factor.enrollmentId)
            ? factor
            : movedFactor(factor, secretBox, scope, { from: from.uid, to: into.uid }),
        ),
        validSinceSec: isDisabledNow ? nextValidSince(into, transaction.nowMs) : into.validSinceSec,
      };
      saveMergedAccount(records, { before: into, removed: from, after });
      endSessions(records, from.uid);
      removeAttempts(records, from.uid);
      removeCodesOf(records, from.uid);
      if (isDisabledNow) endSessions(records, into.uid);
      return userJson(after, scope);
    });
  }
}

const PROBLEMS: Readonly<Record<MergeProblem, string>> = {
  member: 'One of the accounts belongs to a member of the project. Remove the member first.',
  'unverified-email':
    'The remaining account would have second factors and no verified email address. Verify its address first.',
};

interface PlannedMerge {
  readonly into: Account;
  readonly from: Account;
  readonly plan: MergePlan;
}

function planOf(view: RecordStoreView, scope: AccountScope, pair: MergedPair): PlannedMerge {
  if (pair.into === pair.from)
    throw new RequestError('account/not-mergeable', 'An account cannot be merged with itself.');
  const records = view.records(accountRecords(scope));
  const into = findAccount(records, pair.into);
  const from = findAccount(records, pair.from);
  if (into === undefined || from === undefined) throw new RequestError('account/unknown');
  // The merge would give one user the rights of another one in the console.
  const isOfMember = isMember(view, scope, into.uid) || isMember(view, scope, from.uid);
  const plan = planMerge(into, from);
  return { into, from, plan: isOfMember ? { ...plan, problem: 'member' } : plan };
}

/** Returns a digest of what a merge does. The times of sign-ins do not change it. */
function digestOf({ into, from }: MergedPair, { merged, moved, lost, problem }: MergePlan): string {
  const { email, isEmailVerified, phoneNumber, isDisabled, customAttributes, displayName } = merged;
  const shown = [email, isEmailVerified, phoneNumber, isDisabled, customAttributes, displayName];
  const text = JSON.stringify([into, from, shown, moved, lost, problem]);
  return createHash('sha256').update(text).digest('base64url');
}
