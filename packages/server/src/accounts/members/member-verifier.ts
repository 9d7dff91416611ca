import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { BooksView } from '../../books/books.ts';
import { INSTALLATION } from '../../books/installation-book.ts';
import { parseJwt } from '../../tokens/jwt-text.ts';
import { MAX_TOKEN_LENGTH } from '../../tokens/token-codec.ts';
import { TokenProblem } from '../../tokens/token-problem.ts';
import type { VerifiedToken } from '../../tokens/verified-token.ts';
import { accountsBook } from '../account-book.ts';
import type { Administrator } from '../administrator.ts';
import { mustFindHolder } from '../caller-account.ts';
import { isOfToken } from '../facts-of-token.ts';
import { IdentityError } from '../identity-error.ts';
import type { IdentityServices } from '../identity-services.ts';
import { listSessions } from '../session-book.ts';
import { findMember } from './member-book.ts';
import { idTokenOf } from './member-token.ts';
import { ROLES_OF_MEMBER } from './roles-of-member.ts';

/** Decides which member a token stands for now: `member.` and an ID token of the project that the member is of. */
export class MemberVerifier {
  readonly #services: Pick<IdentityServices, 'books' | 'idTokens' | 'projects'>;

  constructor(services: Pick<IdentityServices, 'books' | 'idTokens' | 'projects'>) {
    this.#services = services;
  }

  /**
   * Refuses with `auth/unreadable`, with `auth/expired` whose token, account or session counts no more, with `member/unknown`
   * who is no member, and with `member/second-factor` a session that began without one.
   */
  async verify(text: string): Promise<Administrator> {
    const { books, idTokens } = this.#services;
    const idToken = idTokenOf(text);
    const projectId = this.#mustFindProject(idToken);
    try {
      const token = await idTokens.verify(idToken, projectId);
      return books.read((view) => mustFindMember(view, projectId, token));
    } catch (cause) {
      throw refusalOf(cause);
    }
  }

  #mustFindProject(idToken: string): string {
    const id = findAudience(idToken);
    const project = id === undefined ? undefined : this.#services.projects.find(id);
    if (project === undefined) throw new Refusal('auth/unreadable');
    if (project.settings.isDisabled) throw new Refusal('auth/expired', 'The project is disabled.');
    return project.id;
  }
}

function mustFindMember(view: BooksView, projectId: string, token: VerifiedToken): Administrator {
  const book = view.book(accountsBook(projectId));
  const account = mustFindHolder(book, token);
  const member = findMember(view.book(INSTALLATION), projectId, token.uid);
  if (member === undefined) throw new Refusal('member/unknown');
  if (token.secondFactor === undefined) throw new Refusal('member/second-factor');
  const sessions = listSessions(book, token.uid).filter((one) => isOfToken(one, account, token));
  if (sessions.length === 0) throw new Refusal('auth/expired', 'The session has ended: sign in again.');
  const { uid, role } = member;
  const sessionIds = sessions.map(({ id }) => id);
  return {
    name: account.email ?? uid,
    projectId,
    roles: ROLES_OF_MEMBER[role],
    expiresAtMs: token.expiresAtSec * 1_000,
    grant: { kind: 'member', projectId, uid, role, issuedAtSec: token.issuedAtSec, sessionIds },
  };
}

/** The project that a token says it is for, which nobody has verified yet. */
function findAudience(idToken: string): string | undefined {
  if (idToken.length > MAX_TOKEN_LENGTH) return undefined;
  try {
    const { aud } = parseJwt(idToken).claims;
    return typeof aud === 'string' ? aud : undefined;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

/** Who is told that a token has expired gets another, or finds out there why not. */
function refusalOf(cause: unknown): unknown {
  if (cause instanceof IdentityError) return new Refusal('auth/expired', undefined, { cause });
  if (!(cause instanceof TokenProblem)) return cause;
  return new Refusal(cause.code === 'TOKEN_EXPIRED' ? 'auth/expired' : 'auth/unreadable', undefined, {
    cause,
  });
}
