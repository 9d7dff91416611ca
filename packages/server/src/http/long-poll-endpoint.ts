import type { IncomingMessage, ServerResponse } from 'node:http';

/** What answers the requests of clients that poll, at `/.lp`. */
export interface LongPollEndpoint {
  /**
   * Answers one request about the database `namespace`, `null` for one that names none, whatever its method, now or later.
   * Throws a `Refusal` of what no client sends, before anything is answered; the response belongs to the endpoint
   * otherwise.
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    namespace: string | null,
    query: URLSearchParams,
  ): void;
  /** Ends all connections; resolves when what their end changes is durable. */
  close(): Promise<void>;
}
