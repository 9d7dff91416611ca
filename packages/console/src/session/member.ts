import { focusManager, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { onIdTokenChanged, signOut, type User } from 'firebase/auth';
import { useEffect, useMemo, useState } from 'react';
import { openProjectAuth, type ProjectAuth } from '../api/auth.ts';
import { Api, ApiError } from '../api/client.ts';
import { readSession, type ServerSession } from '../api/projects.ts';
import type { ConsoleParameters } from '../api/session.ts';
import type { Session } from './session.ts';
import { forgetInTab } from './tab-storage.ts';

/**
 * Refetches queries when the user returns to the window. A running request is discarded, because its response may be
 * outdated. Queries with this key must set `refetchOnWindowFocus: false`, because the built-in refetch would reuse the
 * running request.
 */
export function useRefetchOnReturn(queryKey: QueryKey): void {
  const client = useQueryClient();
  useEffect(
    () =>
      focusManager.subscribe((isBack) => {
        if (isBack) void client.invalidateQueries({ queryKey });
      }),
    [client, queryKey],
  );
}

/** The state of the sign-in to the console. */
export type Membership =
  | { readonly kind: 'loading' }
  | { readonly kind: 'no-project'; readonly unknown: string | undefined }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'signed-out'; readonly project: ProjectAuth }
  | { readonly kind: 'needs-factor'; readonly project: ProjectAuth; readonly user: User }
  | { readonly kind: 'no-member'; readonly project: ProjectAuth; readonly user: User }
  | { readonly kind: 'member'; readonly project: ProjectAuth; readonly session: Session };

/** Key of the query for the member's session; invalidate it after changes that affect the session. */
export const MEMBER_QUERY = ['member'] as const;

/** Interval at which membership and role are checked. */
const REFETCH_MS = 30_000;

/** Returns the state of the sign-in, from the user of the Auth SDK and the member's session on the server. */
export function useMember(projectId: string | undefined, parameters: ConsoleParameters): Membership {
  const opened = useQuery({
    queryKey: ['project-auth', projectId],
    queryFn: () => openProjectAuth(projectId ?? ''),
    enabled: projectId !== undefined,
    // `openProjectAuth` can be called only once per project.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const project = opened.data;
  const user = useUser(project);
  const client = useQueryClient();
  const api = useMemo(
    () =>
      project === undefined
        ? undefined
        : new Api(project.credential, (requestError) => {
            if (isAboutSession(requestError)) void client.invalidateQueries({ queryKey: MEMBER_QUERY });
          }),
    [project, client],
  );
  const membership = useQuery({
    queryKey: [...MEMBER_QUERY, projectId, user?.uid],
    queryFn: () => readOwnSession(project, user),
    enabled: user !== null && user !== undefined,
    refetchInterval: REFETCH_MS,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  useRefetchOnReturn(MEMBER_QUERY);
  const answer = membership.data;
  const session = useMemo((): Session | undefined => {
    if (project === undefined || api === undefined || answer?.kind !== 'session') return undefined;
    return {
      parameters,
      api,
      credential: project.credential,
      user: answer.session.user,
      projects: answer.session.projects,
      signOut: () => leaveProject(project),
      chooseProject: () => location.assign('/console/?project='),
    };
  }, [parameters, project, api, answer]);

  if (projectId === undefined) return { kind: 'no-project', unknown: undefined };
  if (isStatus(opened.error, 404) || isStatus(opened.error, 400))
    return { kind: 'no-project', unknown: projectId };
  if (opened.error !== null) return failed(opened.error, opened.refetch);
  if (project === undefined || user === undefined) return { kind: 'loading' };
  if (user === null) return { kind: 'signed-out', project };
  if (answer?.kind === 'no-member' || answer?.kind === 'needs-factor')
    return { kind: answer.kind, project, user };
  if (session !== undefined) return { kind: 'member', project, session };
  return membership.error === null ? { kind: 'loading' } : failed(membership.error, membership.refetch);
}

/** Returns the user of the Auth SDK: `null` if signed out, `undefined` until the SDK has reported either. */
function useUser(project: ProjectAuth | undefined): User | null | undefined {
  const [reported, notify] = useState<{ readonly user: User | null }>();
  useEffect(() => project && onIdTokenChanged(project.auth, (user) => notify({ user })), [project]);
  return reported?.user;
}

/** The response of the server about the user. The previous response stays until a refetch succeeds. */
type Answer =
  | { readonly kind: 'session'; readonly session: ServerSession }
  | { readonly kind: 'no-member' }
  | { readonly kind: 'needs-factor' };

/**
 * Reads the session of the user. On status 401, retries once with a fresh token. Signs out if the retry has status 401
 * too, or if the SDK reports that the session has ended.
 */
async function readOwnSession(
  project: ProjectAuth | undefined,
  user: User | null | undefined,
): Promise<Answer> {
  if (project === undefined || user === null || user === undefined) throw new Error('You are not signed in.');
  const api = new Api(project.credential);
  try {
    return await fetchSession(api);
  } catch (error) {
    if (!isStatus(error, 401)) throw error;
  }
  try {
    await user.getIdToken(true);
    return await fetchSession(api);
  } catch (error) {
    if (isStatus(error, 401) || isSessionEnded(error)) await signOut(project.auth);
    throw error;
  }
}

async function fetchSession(api: Api): Promise<Answer> {
  try {
    return { kind: 'session', session: await readSession(api) };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'member/unknown') return { kind: 'no-member' };
    if (code === 'member/second-factor') return { kind: 'needs-factor' };
    throw error;
  }
}

/** Returns whether the SDK reports that the account is disabled or deleted, or that its tokens were revoked. */
function isSessionEnded(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^auth\/user-/.test(String(error.code));
}

/**
 * Signs out and reloads the console at an address, by default the start page, so that no data of the member stays in
 * memory or in the tab storage.
 */
export async function leaveProject(
  { projectId, auth }: ProjectAuth,
  address = `/console/?project=${encodeURIComponent(projectId)}`,
): Promise<void> {
  await signOut(auth);
  // If the user cancels the unload dialog, they can sign in again and continue, so the tab storage stays until `pagehide`.
  const stay = new AbortController();
  addEventListener('pagehide', () => forgetInTab(projectId), { signal: stay.signal });
  onIdTokenChanged(auth, (user) => {
    if (user !== null) stay.abort();
  });
  location.assign(address);
}

function isAboutSession({ status, code = '' }: ApiError): boolean {
  return status === 401 || code.startsWith('member/') || code === 'auth/role';
}

function isStatus(error: unknown, status: number): boolean {
  return error instanceof ApiError && error.status === status;
}

function failed(error: Error, retry: () => unknown): Membership {
  return { kind: 'failed', error, retry: () => void retry() };
}
