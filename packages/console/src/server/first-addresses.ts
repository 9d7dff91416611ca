/** Who somebody is, for whoever says a credential. */
export const SESSION_ADDRESS = '/api/session';

/** What somebody needs to sign in to a project; for everybody. */
export function signInAddress(project: string): string {
  return `/api/projects/${encodeURIComponent(project)}/sign-in`;
}
