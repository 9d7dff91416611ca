import type { IncomingMessage, ServerResponse } from 'node:http';

/** What answers requests to the interface of identity. */
export interface IdentityEndpoint {
  /** Answers a request whatever comes of it. `path` is without what clients may put before it. */
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
}
