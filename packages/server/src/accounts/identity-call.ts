import type { RequestSource } from '../audit/audit-trail.ts';
import type { Fields } from './fields.ts';
import type { Project } from './project.ts';

/** By what right a request is made. */
export type Caller =
  /** By an app, whose key says nothing but which project it is of. */
  | { readonly kind: 'app'; readonly apiKey: string }
  /** By an administrator of the project. Who owns it may also do what concerns its members. */
  | {
      readonly kind: 'admin';
      readonly name: string;
      readonly mayReadHashes: boolean;
      readonly ownsProject: boolean;
    };

/** What a request says of the program that makes it. Anybody may say anything. */
export interface ClientInfo extends RequestSource {
  /** Language tags that it asks for, best first; empty for none. */
  readonly locale: string;
  /** The page of a browser, as `https://app.example`; `null` for other programs. */
  readonly origin: string | null;
  /** Is it the SDK of a browser, which keeps the refresh token that each answer brings? */
  readonly isWeb: boolean;
}

export function sourceOf({ address, userAgent, requestId }: ClientInfo): RequestSource {
  return { address, userAgent, requestId };
}

/** One request to the interface of identity. */
export interface IdentityCall {
  readonly project: Project;
  readonly caller: Caller;
  readonly client: ClientInfo;
  /** Body and query together. */
  readonly fields: Fields;
  /** Parts of the address that the route names, decoded. */
  readonly segments: Readonly<Record<string, string>>;
  /**
   * This server as its clients name it, without a path: `https://hearth.example.com`. Links in mails begin with it: it comes
   * from a request in development mode alone.
   */
  readonly origin: string;
}
