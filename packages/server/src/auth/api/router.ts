import type { AdminRole } from '@hearth/core/api/service-account.ts';
import type { Headers } from '../../http/response.ts';
import type { JsonObject } from '../fields.ts';
import type { AuthHandler, AuthServices } from '../services.ts';

/** The callers to whom a method is available. */
export type Audience =
  /** Apps with an API key, and administrators who name a project. */
  | 'anyone'
  | 'admin'
  /** Every caller in development mode. In other modes the route does not exist. */
  | 'emulator';

/** The route of a method of the Auth API. */
export interface MethodRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Braces name a segment of the path: `/v1/projects/{project}/accounts:lookup`. */
  readonly path: string;
  readonly audience: Audience;
  readonly run: AuthHandler;
  /** The role that an administrator needs; `identity.admin` if absent. */
  readonly role?: AdminRole;
  /** Whether the console may select the project by its id. */
  readonly servesConsole?: true;
  /** Whether the method concerns the project itself: it rejects requests that name a tenant. */
  readonly isOfProject?: true;
  /** Whether the path also names the project of an app's API key. */
  readonly namesProject?: true;
  /** Whether the method works while the project is disabled. */
  readonly servesDisabled?: true;
  /** Whether the body may contain the API key, as `apiKey`. */
  readonly isKeyInBody?: true;
  /** Whether only pages of this server may call the method. It gets their cookie. */
  readonly isOfPage?: true;
  /** Longest body in bytes, if it differs from the default. */
  readonly maxBodyBytes?: number;
}

/** A request for public data. */
export interface PublicRequest {
  readonly segments: Readonly<Record<string, string>>;
  /** The origin of this server as clients name it, without a path. */
  readonly origin: string;
}

/** Data that every client may read. */
export type PublicJson = JsonObject | readonly object[];

/** A route for data that every client may read without a key. */
export interface PublicRoute {
  readonly method: 'GET';
  readonly path: string;
  readonly audience: 'public';
  /** Headers of the response. They replace default headers of the same name. */
  readonly headers: Headers;
  /** Returns the data. Throws an `AuthApiError`. */
  readonly publish: (request: PublicRequest, services: AuthServices) => PublicJson;
}

export type AuthApiRoute = MethodRoute | PublicRoute;

/**
 * Options of methods with which members sign in and set up their account. The console selects the project by its
 * id.
 */
export const FOR_CONSOLE = { audience: 'anyone', servesConsole: true } as const;
