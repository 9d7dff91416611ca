import type { Administrator } from '../accounts/administrator.ts';
import type { RequestSource } from '../audit/audit-trail.ts';
import type { Identity } from '../identity/identity.ts';
import type { Answer } from './answer.ts';
import type { HttpBackend } from './backend.ts';
import type { RequestBody } from './request-body.ts';

/** A request to the interface of Hearth's own, below `/api/`. Its clients are the console and the command line. */
export interface ApiRequest {
  readonly backend: HttpBackend;
  /** Parts of the address that the route names, decoded. */
  readonly segments: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** This server as its clients name it, without a path. */
  readonly origin: string;
  readonly client: RequestSource;
  /** Who asks, and has the right that the route needs. */
  readonly admin: Administrator;
  /** The same in databases. */
  readonly identity: Identity;
  readonly body: RequestBody;
  /** Does the client ask for a stream of events? */
  readonly wantsEvents: boolean;
  /** Keeps the connection, even without traffic, until the answer is sent. */
  readonly keepOpen: () => void;
  /** Longest body that is held in memory, in bytes. */
  readonly maxBodyBytes: number;
}

/** Carries out one route. Rejects with a `Refusal`. */
export type ApiRoute = (request: ApiRequest) => Promise<Answer>;

/** Answers with JSON. */
export function jsonAnswer(json: unknown, status = 200): Answer {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: { kind: 'whole', bytes: Buffer.from(JSON.stringify(json)) },
  };
}
