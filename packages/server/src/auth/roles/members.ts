import { Refusal } from '@hearth/core/error/request-error.ts';
import type { MemberRole } from '../../access/principal.ts';
import {
  type Books,
  type BooksTurn,
  type BooksView,
  type BookTurn,
  INSTALLATION,
} from '../../records/store.ts';
import { type Account, nextValidSince } from '../accounts/account.ts';
import { accountsBook, findAccount, findAccountByEmail, saveAccount } from '../accounts/account-store.ts';
import { parseEmail } from '../accounts/field-parsers.ts';
import { removeCodesOf, removeSignInCodesOf } from '../codes/code-store.ts';
import type { Projects } from '../projects/projects.ts';
import { endSessions } from '../sign-in/session-store.ts';
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
function clearPrepared(book: BookTurn, account: Account, nowMs: number): Account {
  endSessions(book, account.uid);
  removeCodesOf(book, account.uid);
  if (account.email !== null) removeSignInCodesOf(book, account.email);
  const kept = account.isPasswordProven ? account : withoutCredentials(account);
  const cleared = { ...kept, validSinceSec: nextValidSince(account, nowMs) };
  saveAccount(book, account, cleared);
  return cleared;
}

function withoutCredentials(account: Account): Account {
  return {
    ...account,
    password: null,
    passwordUpdatedAtMs: null,
    phoneNumber: null,
    identities: [],
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
  readonly books: Books;
  readonly projects: Projects;
}

/** The members of each project, who may use the console for it. */
export class Members {
  readonly #books: Books;
  readonly #projects: Projects;

  constructor({ books, projects }: MembersOptions) {
    this.#books = books;
    this.#projects = projects;
  }

  /** Returns all members of a project, in the order of their uids. Throws `project/unknown`. */
  list(projectId: string): readonly ListedMember[] {
    this.#mustHave(projectId);
    return this.#books.read((view) =>
      listMembers(view.book(INSTALLATION), projectId, undefined, MAX_MEMBERS).map((member) =>
        describe(view, projectId, member),
      ),
    );
  }

  find(projectId: string, uid: string): ListedMember | undefined {
    return this.#books.read((view) => {
      const member = findMember(view.book(INSTALLATION), projectId, uid);
      return member && describe(view, projectId, member);
    });
  }

  /**
   * Makes the account with an address a member. The member has to sign in again. A password that was not set by
   * a mailed code is removed. Throws `project/unknown`, `member/no-account`, `member/unverified-email`,
   * `member/exists` or `member/too-many`.
   */
  async add(projectId: string, address: string, role: MemberRole): Promise<AddedMember> {
    this.#mustHave(projectId);
    const email = parseEmail(address);
    return this.#books.change((turn) => {
      const accounts = turn.book(accountsBook(projectId));
      const account = findAccountByEmail(accounts, email);
      if (account === undefined) throw new Refusal('member/no-account');
      if (!account.isEmailVerified) throw new Refusal('member/unverified-email');
      const { uid } = account;
      const book = turn.book(INSTALLATION);
      if (findMember(book, projectId, uid) !== undefined) throw new Refusal('member/exists');
      if (listMembers(book, projectId, undefined, MAX_MEMBERS).length >= MAX_MEMBERS)
        throw new Refusal('member/too-many', `A project has at most ${MAX_MEMBERS} members.`);
      const cleared = clearPrepared(accounts, account, turn.nowMs);
      const member = { uid, role, addedAtMs: turn.nowMs };
      saveMember(book, projectId, member);
      return { ...listed(member, cleared), mustSetPassword: cleared.password === null };
    });
  }

  /** Throws `member/not-found` or `member/last-owner`. */
  async changeRole(projectId: string, uid: string, role: MemberRole): Promise<ListedMember> {
    return this.#books.change((turn) => {
      const member = mustFind(turn, projectId, uid);
      if (role !== 'owner') mustNotBeLastOwner(turn, projectId, uid);
      const changed = { ...member, role };
      saveMember(turn.book(INSTALLATION), projectId, changed);
      return describe(turn, projectId, changed);
    });
  }

  /** Removes a member from the project and keeps the account. Throws `member/not-found` or `member/last-owner`. */
  async remove(projectId: string, uid: string): Promise<ListedMember> {
    return this.#books.change((turn) => {
      const member = mustFind(turn, projectId, uid);
      mustNotBeLastOwner(turn, projectId, uid);
      removeMember(turn.book(INSTALLATION), projectId, uid);
      return describe(turn, projectId, member);
    });
  }

  #mustHave(projectId: string): void {
    if (this.#projects.find(projectId) === undefined) throw new Refusal('project/unknown');
  }
}

function describe(view: BooksView, projectId: string, member: Member): ListedMember {
  return listed(member, findAccount(view.book(accountsBook(projectId)), member.uid));
}

function listed(member: Member, account: Account | undefined): ListedMember {
  return {
    ...member,
    email: account?.email ?? null,
    name: account?.displayName ?? null,
    hasSecondFactor: (account?.factors.length ?? 0) > 0,
  };
}

function mustFind(turn: BooksTurn, projectId: string, uid: string): Member {
  const member = findMember(turn.book(INSTALLATION), projectId, uid);
  if (member === undefined) throw new Refusal('member/not-found');
  return member;
}

function mustNotBeLastOwner(turn: BooksTurn, projectId: string, uid: string): void {
  if (isLastOwner(turn, projectId, uid)) throw new Refusal('member/last-owner');
}
