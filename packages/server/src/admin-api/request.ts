import type { Principal } from '../access/principal.ts';
import type { Administrator, Right } from '../auth/roles/rights.ts';
import type { RequestBody } from '../http/request-body.ts';
import type { RequestSource } from '../http/request-source.ts';
import type { Answer } from '../http/response.ts';
import type { Segments } from '../http/route-table.ts';
import type { Holder } from '../platform/lease.ts';

/** A request to the admin API, below `/api/`, from the console or the command line. */
export interface ApiRequest {
  /** Decoded values of the segments that the route names. */
  readonly segments: Segments;
  readonly query: URLSearchParams;
  /** The URL by which the client addresses this server, without a path. */
  readonly origin: string;
  readonly client: RequestSource;
  /** The caller, who has the right that the route needs. */
  readonly admin: Administrator;
  /** The principal as which the caller uses databases. */
  readonly identity: Principal;
  /** The caller as a user of shared resources. */
  readonly holder: Holder;
  readonly body: RequestBody;
  /** Whether the client requests an event stream. */
  readonly wantsEvents: boolean;
  /** Keeps the connection open without traffic until the response is sent. */
  readonly keepOpen: () => void;
  /** Longest body that the server reads into memory, in bytes. */
  readonly maxBodyBytes: number;
}

/** A route of the admin API. */
export interface ApiRoute {
  readonly method: 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Path of the route; braces name a segment. */
  readonly path: string;
  /** Carries out the request. Rejects with a `RequestError`. */
  readonly run: (request: ApiRequest) => Promise<Answer>;
  /** The right that the caller must have. */
  readonly right: Right;
  /**
   * The resource to which the right applies: `accounts` means the accounts of the project in the URL,
   * `any-project` means the caller's project, or the whole server. If absent, the resource is the database or
   * project in the URL, or the whole server if the URL names none.
   */
  readonly isFor?: 'accounts' | 'any-project';
}

/** A request from a caller without a credential. */
export type PublicApiRequest = Pick<ApiRequest, 'segments' | 'query' | 'client'>;

/** A route that needs no credential. */
export interface PublicApiRoute {
  readonly method: 'GET';
  readonly path: string;
  readonly run: (request: PublicApiRequest) => Promise<Answer>;
}

/** A description of the server for the console. */
export interface About {
  readonly mode: 'development' | 'serve';
  readonly version: string;
  /** The project of callers that name none; `null` if callers must name one. */
  readonly defaultProject: string | null;
}
