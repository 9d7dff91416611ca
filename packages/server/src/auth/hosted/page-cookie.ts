import type { IncomingMessage } from 'node:http';
import type { Project } from '../projects/project.ts';

/** How long the hosted pages remember a sign-in that is not used, in s. */
export const PAGE_IDLE_SEC = 2_592_000;

/**
 * Returns the name of the cookie in which the hosted pages keep their session with a project or a tenant. A browser sends
 * a cookie with this prefix only to this host, and only with TLS.
 */
function pageCookieName({ number, scope }: Pick<Project, 'number' | 'scope'>, isSecure: boolean): string {
  const owner = scope.tenantId === null ? number : `${number}-${scope.tenantId}`;
  return `${isSecure ? '__Host-' : ''}hearth-session-${owner}`;
}

/** Returns the refresh token in the cookie of a request; `undefined` if it has none. */
export function readPageCookie(
  request: Pick<IncomingMessage, 'headers'>,
  project: Project,
  isSecure: boolean,
): string | undefined {
  return findCookie(request, pageCookieName(project, isSecure)) || undefined;
}

/** Returns the header that stores a refresh token in the cookie, or removes the cookie if there is none. */
export function formatPageCookie(project: Project, isSecure: boolean, token: string | null): string {
  const lifetime = token === null ? 0 : PAGE_IDLE_SEC;
  const secure = isSecure ? '; Secure' : '';
  return `${pageCookieName(project, isSecure)}=${token ?? ''}; Path=/; Max-Age=${lifetime}; HttpOnly; SameSite=Lax${secure}`;
}

/** Returns the value of a cookie of a request. */
export function findCookie(
  { headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>,
  name: string,
): string | undefined {
  const pairs = cookie.split(';').map((pair) => pair.trim().split('='));
  return pairs.find(([key]) => key === name)?.[1];
}
