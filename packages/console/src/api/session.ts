import { readDataElement } from '@hearth/pages/shell/document.ts';

/** Parameters that the server writes into the page. */
export interface ConsoleParameters {
  /** In development mode, members do not sign in. */
  readonly mode: 'development' | 'serve';
  /** The project of addresses that name none; `null` in mode `serve`. */
  readonly defaultProject: string | null;
  readonly version: string;
  /** Nonce that the Content Security Policy requires on style elements. */
  readonly styleNonce: string;
}

/** Reads the parameters from the page. Throws if they are missing, which is a bug of the server. */
export function readConsoleParameters(): ConsoleParameters {
  return readDataElement('parameters') as ConsoleParameters;
}

/** Provides the token that identifies the member in requests. */
export interface Credential {
  /** Returns a valid token. Rejects with an `ApiError` with status 401 if the member is signed out. */
  token(): Promise<string>;
  /** Calls `notify` after every change of the token. Returns a function that stops the calls. */
  onChange(notify: () => void): () => void;
}

/** In development mode, every token is an administrator's; the official tools use this one. */
export const DEVELOPMENT_TOKEN = 'owner';

export const DEVELOPMENT_CREDENTIAL: Credential = {
  token: async () => DEVELOPMENT_TOKEN,
  onChange: () => () => {},
};

/** Role of a member: full access, write access to data and settings, or read-only access. */
export type Role = 'owner' | 'editor' | 'viewer';

/** Address of the session of a credential. */
export const SESSION_ADDRESS = '/api/session';

/** Returns the address of the public sign-in parameters of a project. */
export function signInAddress(project: string): string {
  return `/api/projects/${encodeURIComponent(project)}/sign-in`;
}
