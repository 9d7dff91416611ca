import type { JsonObject } from '../../accounts/fields.ts';
import type { IdentityMethod } from '../../accounts/identity-method.ts';
import type { IdentityServices } from '../../accounts/identity-services.ts';
import type { AdminRole } from '../../tokens/service-account.ts';
import type { Headers } from '../answer.ts';

/** Who may call a method. */
export type Audience =
  /** Apps by an API key; administrators who name a project too. */
  | 'anyone'
  | 'admin'
  /** Whoever reaches a server in development mode; elsewhere there is nothing at the address. */
  | 'emulator';

/** Where a method of identity is. */
export interface MethodRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Braces name a part of the address: `/v1/projects/{project}/accounts:lookup`. */
  readonly path: string;
  readonly audience: Audience;
  readonly run: IdentityMethod;
  /** What an administrator has to be; without it, `identity.admin`. */
  readonly role?: AdminRole;
  /** Does it work even while nobody may sign in to the project? */
  readonly servesDisabled?: true;
  /** Longest body in bytes, where it is not the usual one. */
  readonly maxBodyBytes?: number;
}

/** What a request for something public is answered by. */
export interface PublicRequest {
  readonly segments: Readonly<Record<string, string>>;
  /** This server as the request names it, without a path. */
  readonly origin: string;
}

/** Where something is that anybody may read, without a key. */
export interface PublicRoute {
  readonly method: 'GET';
  readonly path: string;
  readonly audience: 'public';
  /** Instead of the usual ones of the same name. */
  readonly headers: Headers;
  /** Refuses with an `IdentityError`. */
  readonly publish: (request: PublicRequest, services: IdentityServices) => JsonObject;
}

export type IdentityRoute = MethodRoute | PublicRoute;
