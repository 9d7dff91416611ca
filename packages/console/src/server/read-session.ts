import type { Api } from './api.ts';
import { SESSION_ADDRESS } from './first-addresses.ts';
import type { Role } from './role.ts';

/** What the server says of whoever asks. */
export interface ServerSession {
  readonly mode: 'development' | 'serve';
  readonly version: string;
  readonly user: { readonly uid: string; readonly email: string | null; readonly name: string | null } | null;
  readonly projects: readonly { readonly id: string; readonly role: Role }[];
}

/** `GET /api/session`. Rejects with an `ApiError`. */
export function readSession(api: Api): Promise<ServerSession> {
  return api.json(SESSION_ADDRESS);
}
