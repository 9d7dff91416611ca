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
 * Has queries asked anew whenever whoever looked elsewhere comes back, also those that are under way: their answers may tell of
 * what was before. Such queries have `refetchOnWindowFocus: false`, by which they would share those answers.
 */
export function useAskOnReturn(queryKey: QueryKey): void {
  const client = useQueryClient();
  useEffect(
    () =>
      focusManager.subscribe((isBack) => {
        if (isBack) void client.invalidateQueries({ queryKey });
      }),
    [client, queryKey],
  );
}

/** How far somebody has come on the way into the console. */
export type Membership =
  | { readonly kind: 'loading' }
  | { readonly kind: 'no-project'; readonly unknown: string | undefined }
  | { readonly kind: 'failed'; readonly error: Error; retry(): void }
  | { readonly kind: 'signed-out'; readonly project: ProjectAuth }
  | { readonly kind: 'needs-factor'; readonly project: ProjectAuth; readonly user: User }
  | { readonly kind: 'no-member'; readonly project: ProjectAuth; readonly user: User }
  | { readonly kind: 'member'; readonly project: ProjectAuth; readonly session: Session };

/** What the server says of whoever is signed in; asked again after what changes it. */
export const MEMBER_QUERY = ['member'] as const;

/** How often the server is asked whether the member is still one, and in which role, in milliseconds. */
const AGAIN_MS = 30_000;

/** Follows who is signed in to a project and what the server says of them. */
export function useMember(projectId: string | undefined, parameters: ConsoleParameters): Membership {
  const opened = useQuery({
    queryKey: ['project-auth', projectId],
    queryFn: () => openProjectAuth(projectId ?? ''),
    enabled: projectId !== undefined,
    // The SDK opens it once.
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
  const asked = useQuery({
    queryKey: [...MEMBER_QUERY, projectId, user?.uid],
    queryFn: () => readOwnSession(project, user),
    enabled: user !== null && user !== undefined,
    refetchInterval: AGAIN_MS,
    staleTime: 0,
    refetchOnWindowFocus: false,
  });
  useAskOnReturn(MEMBER_QUERY);
  const answer = asked.data;
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
  return asked.error === null ? { kind: 'loading' } : failed(asked.error, asked.refetch);
}

/** Whoever the SDK says is signed in; `undefined` as long as it has not said. */
function useUser(project: ProjectAuth | undefined): User | null | undefined {
  const [reported, notify] = useState<{ readonly user: User | null }>();
  useEffect(() => project && onIdTokenChanged(project.auth, (user) => notify({ user })), [project]);
  return reported?.user;
}

/** What the server says of somebody, kept while it is asked again. */
type Answer =
  | { readonly kind: 'session'; readonly session: ServerSession }
  | { readonly kind: 'no-member' }
  | { readonly kind: 'needs-factor' };

/** Asks once more with another token before it believes that the session has ended; then nobody is signed in any more. */
async function readOwnSession(
  project: ProjectAuth | undefined,
  user: User | null | undefined,
): Promise<Answer> {
  if (project === undefined || user === null || user === undefined) throw new Error('You are not signed in.');
  const api = new Api(project.credential);
  try {
    return await askForSession(api);
  } catch (error) {
    if (!isStatus(error, 401)) throw error;
  }
  try {
    await user.getIdToken(true);
    return await askForSession(api);
  } catch (error) {
    if (isStatus(error, 401) || isOverBySdk(error)) await signOut(project.auth);
    throw error;
  }
}

async function askForSession(api: Api): Promise<Answer> {
  try {
    return { kind: 'session', session: await readSession(api) };
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'member/unknown') return { kind: 'no-member' };
    if (code === 'member/second-factor') return { kind: 'needs-factor' };
    throw error;
  }
}

/** Says the SDK that the account is disabled or gone, or its tokens are? */
function isOverBySdk(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^auth\/user-/.test(String(error.code));
}

/**
 * Signs out, and loads the console anew at an address, the first one unless given: nothing is left of what whoever was there
 * has seen or kept.
 */
export async function leaveProject(
  { projectId, auth }: ProjectAuth,
  address = `/console/?project=${encodeURIComponent(projectId)}`,
): Promise<void> {
  await signOut(auth);
  // Whoever is asked first, and stays, may sign in again and go on.
  const stay = new AbortController();
  addEventListener('pagehide', () => forgetInTab(projectId), { signal: stay.signal });
  onIdTokenChanged(auth, (user) => {
    if (user !== null) stay.abort();
  });
  // Loads the console anew, so that nothing stays in memory that was the member's to see.
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
