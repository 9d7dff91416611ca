import { RequestError } from '@hearth/core/error/request-error.ts';
import type { MemberRole } from '../../access/principal.ts';
import {
  INSTALLATION,
  type RecordStore,
  type RecordStoreTransaction,
  type RecordStoreView,
  type RecordTransaction,
} from '../../records/store.ts';
import { type Account, nextValidSince } from '../accounts/account.ts';
import { accountRecords, findAccount, findAccountByEmail, saveAccount } from '../accounts/account-store.ts';
import { parseEmail } from '../accounts/field-parsers.ts';
import { removeCodesOf, removeSignInCodesOf } from '../codes/code-store.ts';
import type { Projects } from '../projects/projects.ts';
import { endSessions } from '../sign-in/session-store.ts';
import { projectScope } from '../tenants/scope.ts';
import {
  findMember,
  isLastOwner,
  listMembers,
  MAX_MEMBERS,
  type Member,
  removeMember,
  saveMember,
} from './member-store.ts';

/**
 * Removes from the account of a new member everything that another person may have prepared in order to take
 * over the account: sessions, codes and credentials. Credentials are kept only if the password was set by a
 * code that was mailed to the address. A verified address is not enough: an administrator may have marked it as
 * verified, or the owner of the address may have followed a link from a sign-up by another person. Returns the
 * changed account.
 */
function resetBeforeMembership(records: RecordTransaction, account: Account, nowMs: number): Account {
  endSessions(records, account.uid);
  removeCodesOf(records, account.uid);
  if (account.email !== null) removeSignInCodesOf(records, account.email);
  const kept = account.isPasswordProven ? account : withoutCredentials(account);
  const cleared = { ...kept, validSinceSec: nextValidSince(account, nowMs) };
  saveAccount(records, account, cleared);
  return cleared;
}

function withoutCredentials(account: Account): Account {
  return {
    ...account,
    password: null,
    passwordUpdatedAtMs: null,
    phoneNumber: null,
    identities: [],
    passkeys: [],
    factors: [],
    recoveryCodes: [],
  };
}

/** A member as shown to other members. */
export interface ListedMember extends Member {
  readonly email: string | null;
  readonly name: string | null;
  /** Members without a second factor cannot use the console yet. */
  readonly hasSecondFactor: boolean;
}

export interface AddedMember extends ListedMember {
  /** Whether the password was removed. The member then has to set a password with a mailed code. */
  readonly mustSetPassword: boolean;
}

export interface MembersOptions {
  readonly recordStore: RecordStore;
  readonly projects: Projects;
}

/** The members of each project, who may use the console for it. */
export class Members {
  readonly #recordStore: RecordStore;
  readonly #projects: Projects;

  constructor({ recordStore, projects }: MembersOptions) {
    this.#recordStore = recordStore;
    this.#projects = projects;
  }

  /** Returns all members of a project, in the order of their uids. Throws `project/unknown`. */
  list(projectId: string): readonly ListedMember[] {
    this.#require(projectId);
    return this.#recordStore.read((view) =>
      listMembers(view.records(INSTALLATION), projectId, undefined, MAX_MEMBERS).map((member) =>
        describe(view, projectId, member),
      ),
    );
  }

  find(projectId: string, uid: string): ListedMember | undefined {
    return this.#recordStore.read((view) => {
      const member = findMember(view.records(INSTALLATION), projectId, uid);
      return member && describe(view, projectId, member);
    });
  }

  /**
   * Makes the account with an email address a member. The member has to sign in again. A password that was not set by
   * a mailed code is removed. Throws `project/unknown`, `member/no-account`, `member/unverified-email`,
   * `member/exists` or `member/too-many`.
   */
  async add(projectId: string, address: string, role: MemberRole): Promise<AddedMember> {
    this.#require(projectId);
    const email = parseEmail(address);
    return this.#recordStore.change((transaction) => {
      const accounts = transaction.records(accountRecords(projectScope(projectId)));
      const account = findAccountByEmail(accounts, email);
      if (account === undefined) throw new RequestError('member/no-account');
      if (!account.isEmailVerified) throw new RequestError('member/unverified-email');
      const { uid } = account;
      const records = transaction.records(INSTALLATION);
      if (findMember(records, projectId, uid) !== undefined) throw new RequestError('member/exists');
      if (listMembers(records, projectId, undefined, MAX_MEMBERS).length >= MAX_MEMBERS)
        throw new RequestError('member/too-many', `A project has at most ${MAX_MEMBERS} members.`);
      const cleared = resetBeforeMembership(accounts, account, transaction.nowMs);
      const member = { uid, role, addedAtMs: transaction.nowMs };
      saveMember(records, projectId, member);
      return { ...listed(member, cleared), mustSetPassword: cleared.password === null };
    });
  }

  /** Changes the role of a member. Throws `member/not-found` or `member/last-owner`. */
  async changeRole(projectId: string, uid: string, role: MemberRole): Promise<ListedMember> {
    return this.#recordStore.change((transaction) => {
      const member = findOrThrow(transaction, projectId, uid);
      if (role !== 'owner') rejectLastOwner(transaction, projectId, uid);
      const changed = { ...member, role };
      saveMember(transaction.records(INSTALLATION), projectId, changed);
      return describe(transaction, projectId, changed);
    });
  }

  /** Removes a member from the project and keeps the account. Throws `member/not-found` or `member/last-owner`. */
  async remove(projectId: string, uid: string): Promise<ListedMember> {
    return this.#recordStore.change((transaction) => {
      const member = findOrThrow(transaction, projectId, uid);
      rejectLastOwner(transaction, projectId, uid);
      removeMember(transaction.records(INSTALLATION), projectScope(projectId), uid);
      return describe(transaction, projectId, member);
    });
  }

  #require(projectId: string): void {
    if (this.#projects.find(projectId) === undefined) throw new RequestError('project/unknown');
  }
}

function describe(view: RecordStoreView, projectId: string, member: Member): ListedMember {
  return listed(member, findAccount(view.records(accountRecords(projectScope(projectId))), member.uid));
}

function listed(member: Member, account: Account | undefined): ListedMember {
  return {
    ...member,
    email: account?.email ?? null,
    name: account?.displayName ?? null,
    hasSecondFactor: (account?.factors.length ?? 0) > 0,
  };
}

function findOrThrow(transaction: RecordStoreTransaction, projectId: string, uid: string): Member {
  const member = findMember(transaction.records(INSTALLATION), projectId, uid);
  if (member === undefined) throw new RequestError('member/not-found');
  return member;
}

function rejectLastOwner(transaction: RecordStoreTransaction, projectId: string, uid: string): void {
  if (isLastOwner(transaction, projectScope(projectId), uid)) throw new RequestError('member/last-owner');
}
