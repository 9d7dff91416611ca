import type { AuditEvent } from '../audit/trail.ts';
import type { RequestSource } from '../http/request-source.ts';
import { AuthApiError } from './errors.ts';
import type { Fields, JsonObject } from './fields.ts';
import type { Project } from './projects/project.ts';
import type { AccountScope } from './tenants/scope.ts';

/** Names a key of a service account. */
export interface ServiceAccountKeyName {
  readonly email: string;
  readonly keyId: string;
}

/** The authorization under which a request is made. */
export type Caller =
  /** An app. Its API key only selects the project. */
  | { readonly kind: 'app'; readonly apiKey: string }
  /** An administrator of the project. Owners of the project may also make changes that concern its members. */
  | {
      readonly kind: 'admin';
      readonly name: string;
      readonly mayReadHashes: boolean;
      readonly ownsProject: boolean;
      /** The key with which a service account obtained its access token. */
      readonly serviceAccountKey?: ServiceAccountKeyName;
    };

/** Data about the client of a request. A client can claim anything in its headers. */
export interface ClientInfo extends RequestSource {
  /** The client's network, as in `Holder`. */
  readonly network: string;
  /** The language tags that the client asks for, best first; empty for none. */
  readonly locale: string;
  /** The origin of the page in a browser, such as `https://app.example`; `null` for other programs. */
  readonly origin: string | null;
  /** Whether the client is the SDK for browsers, which stores the refresh token of each response. */
  readonly isWeb: boolean;
}

export function sourceOf({ address, userAgent, requestId }: ClientInfo): RequestSource {
  return { address, userAgent, requestId };
}

/** A request to the Auth API. */
export interface AuthRequest {
  readonly project: Project;
  readonly caller: Caller;
  readonly client: ClientInfo;
  /** Body and query combined. */
  readonly fields: Fields;
  /** Segments of the URL that the route names, decoded. */
  readonly segments: Readonly<Record<string, string>>;
  /**
   * The server's own origin as clients name it: `https://hearth.example.com`. Links in emails start with
   * it, so it comes from the request only in development mode.
   */
  readonly origin: string;
  /** The App Check token of the request, not verified. */
  readonly appCheckToken?: string | undefined;
  /** The content of the cookie of the hosted pages. Only methods for these pages get it. */
  readonly pageCookie?: string | undefined;
}

/** Returns whether a page of this server makes a request. Browsers name its origin; other programs can claim it. */
export function isOfPage({ client, origin }: AuthRequest): boolean {
  return client.origin === origin;
}

/** Serialized JSON of a response that is sent repeatedly. */
export class PrintedJson {
  readonly bytes: Buffer;

  constructor(json: JsonObject | readonly object[]) {
    this.bytes = Buffer.from(JSON.stringify(json));
  }
}

/** A response to a hosted page, with the new content of its cookie; `null` removes the cookie. */
export class PageAnswer {
  readonly json: JsonObject;
  readonly cookie: string | null;

  constructor(json: JsonObject, cookie: string | null) {
    this.json = json;
    this.cookie = cookie;
  }
}

/** Throws if a bulk request does not name its project: in a wrong project, it would affect all accounts. */
export function requireProjectName({ segments, fields }: AuthRequest): void {
  if (segments['project'] === undefined && fields.filled('targetProjectId') === undefined)
    throw new AuthApiError('INSUFFICIENT_PERMISSION', 'Missing "targetProjectId": it must name the project.');
}

/** Returns the member of an audit event that names the tenant of a scope. */
export function tenantOfEvent({ tenantId }: AccountScope): Pick<AuditEvent, 'tenant'> {
  return tenantId === null ? {} : { tenant: tenantId };
}
