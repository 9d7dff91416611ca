import { ADMIN_ROLES, type AdminRole } from '@hearth/core/api/service-account.ts';
import { RequestError } from '@hearth/core/error/request-error.ts';
import { MEMBER_ROLES, type MemberRole } from '../../access/principal.ts';
import { INSTALLATION, type RecordStoreView } from '../../records/store.ts';
import { accountRecords } from '../accounts/account-store.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthServices } from '../services.ts';
import { isOfToken, requireCurrentUser } from '../sign-in/current-user.ts';
import { listSessions } from '../sign-in/session-store.ts';
import { projectScope } from '../tenants/scope.ts';
import type { VerifiedToken } from '../tokens/id-token.ts';
import { parseJwt, TokenProblem } from '../tokens/jwt.ts';
import { MAX_TOKEN_LENGTH } from '../tokens/services.ts';
import { findMember } from './member-store.ts';
import type { Administrator } from './rights.ts';

/**
 * Distinguishes an ID token that a member uses for an administrator's request from one that the same person
 * uses in the app.
 */
const PREFIX = 'member.';

export function isMemberToken(token: string): boolean {
  return token.startsWith(PREFIX);
}

/** Returns the ID token inside a member token. */
function idTokenOf(token: string): string {
  return token.slice(PREFIX.length);
}

/** The administrator roles that each member role includes. */
export const ROLES_OF_MEMBER: Readonly<Record<MemberRole, readonly AdminRole[]>> = {
  owner: ADMIN_ROLES,
  editor: ['identity.admin', 'identity.viewer', 'identity.configAdmin', 'database.admin'],
  viewer: ['identity.viewer', 'database.viewer'],
};

/** Verifies member tokens: `member.` followed by an ID token of the project to which the member belongs. */
export class MemberVerifier {
  readonly #services: Pick<AuthServices, 'recordStore' | 'idTokens' | 'projects'>;

  constructor(services: Pick<AuthServices, 'recordStore' | 'idTokens' | 'projects'>) {
    this.#services = services;
  }

  /**
   * Returns the administrator that the token authenticates. Throws `auth/unreadable`; `auth/expired` if the
   * token, the account or the session is no longer valid or the project is disabled; `member/unknown` if the account is
   * not a member; and `member/second-factor` if the session began without a second factor.
   */
  async verify(text: string): Promise<Administrator> {
    const { recordStore, idTokens } = this.#services;
    const idToken = idTokenOf(text);
    const projectId = this.#requireProject(idToken);
    try {
      const token = await idTokens.verify(idToken, projectScope(projectId));
      return recordStore.read((view) => requireMember(view, projectId, token));
    } catch (cause) {
      throw requestErrorOf(cause);
    }
  }

  #requireProject(idToken: string): string {
    const id = findAudience(idToken);
    const project = id === undefined ? undefined : this.#services.projects.find(id);
    if (project === undefined) throw new RequestError('auth/unreadable');
    if (project.settings.isDisabled) throw new RequestError('auth/expired', 'The project is disabled.');
    return project.id;
  }
}

function requireMember(view: RecordStoreView, projectId: string, token: VerifiedToken): Administrator {
  const records = view.records(accountRecords(projectScope(projectId)));
  const account = requireCurrentUser(records, token);
  const member = findMember(view.records(INSTALLATION), projectId, token.uid);
  if (member === undefined) throw new RequestError('member/unknown');
  if (token.secondFactor === undefined) throw new RequestError('member/second-factor');
  const sessions = listSessions(records, token.uid).filter((one) => isOfToken(one, account, token));
  if (sessions.length === 0) throw new RequestError('auth/expired', 'The session has ended: sign in again.');
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

/** Returns the audience (the project) of a token that is not verified yet. */
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

/**
 * Returns the request error for a rejected token. A client that receives `auth/expired` refreshes its token. The
 * refresh succeeds, or its error gives the actual reason.
 */
function requestErrorOf(cause: unknown): unknown {
  if (cause instanceof AuthApiError) return new RequestError('auth/expired', undefined, { cause });
  if (!(cause instanceof TokenProblem)) return cause;
  return new RequestError(cause.code === 'TOKEN_EXPIRED' ? 'auth/expired' : 'auth/unreadable', undefined, {
    cause,
  });
}

/**
 * Returns the highest member role whose rights an administrator with these roles has; `null` if the administrator does
 * not have the rights of a viewer.
 */
export function findMemberRole(roles: readonly AdminRole[]): MemberRole | null {
  return MEMBER_ROLES.find((role) => ROLES_OF_MEMBER[role].every((one) => includes(roles, one))) ?? null;
}

function includes(roles: readonly AdminRole[], role: AdminRole): boolean {
  return (
    roles.includes(role) ||
    (role === 'identity.viewer' && roles.includes('identity.admin')) ||
    (role === 'database.viewer' && roles.includes('database.admin'))
  );
}
