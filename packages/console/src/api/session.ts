import { readDataElement } from '@hearth/pages/shell/document.ts';

/** What the server says in the page itself. */
export interface ConsoleParameters {
  /** In development nobody signs in. */
  readonly mode: 'development' | 'serve';
  /** The project of whoever names none; `null` in `serve`. */
  readonly defaultProject: string | null;
  readonly version: string;
  /** What style elements must carry to be allowed by the policy of the page. */
  readonly styleNonce: string;
}

/** Reads them from the page. Throws when they are not there, which is a bug of the server. */
export function readConsoleParameters(): ConsoleParameters {
  return readDataElement('parameters') as ConsoleParameters;
}

/** What says to the server who is at the console. */
export interface Credential {
  /** A token that is good now. Rejects with an `ApiError` with status 401 when there is nobody any more. */
  token(): Promise<string>;
  /** Tells of every other token from then on; returns how to stop. */
  onChange(notify: () => void): () => void;
}

/** In development any token is an administrator's; the official tools say this one. */
export const DEVELOPMENT_TOKEN = 'owner';

export const DEVELOPMENT_CREDENTIAL: Credential = {
  token: async () => DEVELOPMENT_TOKEN,
  onChange: () => () => {},
};

/** What a member may do: everything, change data and settings, or look. */
export type Role = 'owner' | 'editor' | 'viewer';

/** Who somebody is, for whoever says a credential. */
export const SESSION_ADDRESS = '/api/session';

/** What somebody needs to sign in to a project; for everybody. */
export function signInAddress(project: string): string {
  return `/api/projects/${encodeURIComponent(project)}/sign-in`;
}
