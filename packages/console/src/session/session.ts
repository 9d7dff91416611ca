import { createContext, useContext } from 'react';
import { useParams } from 'react-router';
import type { Api } from '../api/client.ts';
import type { ConsoleParameters, Credential, Role } from '../api/session.ts';

export interface ProjectMembership {
  readonly id: string;
  readonly role: Role;
}

/** The member's session and projects. */
export interface Session {
  readonly parameters: ConsoleParameters;
  readonly api: Api;
  readonly credential: Credential;
  /** `null` in development mode, where members do not sign in. */
  readonly user: { readonly uid: string; readonly email: string | null; readonly name: string | null } | null;
  readonly projects: readonly ProjectMembership[];
  /** `null` in development mode. */
  readonly signOut: (() => Promise<void>) | null;
  /** Opens the page for choosing another project; `null` in development mode. */
  readonly chooseProject: (() => void) | null;
}

export const SessionContext = createContext<Session | undefined>(undefined);

/** Returns the session. Throws outside of a `SessionContext`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error('This view has no session.');
  return session;
}

export function useApi(): Api {
  return useSession().api;
}

/** Returns the project in the address. Throws in views without one. */
export function useProjectId(): string {
  const { project } = useParams();
  if (project === undefined) throw new Error('The URL of this view contains no project.');
  return project;
}

const RANKS: Readonly<Record<Role, number>> = { viewer: 0, editor: 1, owner: 2 };

/** Returns the member's rights in the project of the address, so that views offer only actions that the server allows. */
export function useRights(): { readonly role: Role; readonly mayChange: boolean; readonly mayOwn: boolean } {
  const project = useProjectId();
  const { parameters, projects } = useSession();
  const known = projects.find(({ id }) => id === project)?.role;
  const role = known ?? (parameters.mode === 'development' ? 'owner' : 'viewer');
  return { role, mayChange: RANKS[role] >= RANKS.editor, mayOwn: role === 'owner' };
}
