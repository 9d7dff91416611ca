import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Books, BooksTurn, BooksView } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import type { MemberRole } from '../../identity/member-role.ts';
import type { Account } from '../account.ts';
import { accountsBook, findAccount, findAccountByEmail } from '../account-book.ts';
import { parseEmail } from '../email.ts';
import type { Projects } from '../projects.ts';
import { clearPrepared } from './clear-prepared.ts';
import { isLastOwner } from './is-last-owner.ts';
import {
  findMember,
  listMembers,
  MAX_MEMBERS,
  type Member,
  removeMember,
  saveMember,
} from './member-book.ts';

/** A member as other members see them. */
export interface ListedMember extends Member {
  readonly email: string | null;
  readonly name: string | null;
  /** Without one they cannot use the console yet. */
  readonly hasSecondFactor: boolean;
}

export interface AddedMember extends ListedMember {
  /** Was the password dropped? A mail then sets another. */
  readonly mustSetPassword: boolean;
}

export interface MembersOptions {
  readonly books: Books;
  readonly projects: Projects;
}

/** Who may use the console for which project. */
export class Members {
  readonly #books: Books;
  readonly #projects: Projects;

  constructor({ books, projects }: MembersOptions) {
    this.#books = books;
    this.#projects = projects;
  }

  /** All members of a project, by uid. Refuses with `project/unknown`. */
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
   * Makes the account of an address a member, who signs in anew, and unless a mail has set the password, with one that a mail
   * sets. Refuses with `project/unknown`, `member/no-account`, `member/unverified-email`, `member/exists` and
   * `member/too-many`.
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

  /** Refuses with `member/not-found` and `member/last-owner`. */
  async changeRole(projectId: string, uid: string, role: MemberRole): Promise<ListedMember> {
    return this.#books.change((turn) => {
      const member = mustFind(turn, projectId, uid);
      if (role !== 'owner') mustNotBeLastOwner(turn, projectId, uid);
      const changed = { ...member, role };
      saveMember(turn.book(INSTALLATION), projectId, changed);
      return describe(turn, projectId, changed);
    });
  }

  /** Takes a membership back; the account remains. Refuses with the same. */
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
