import type { ServerResponse } from 'node:http';

/** A request of a client that is not answered yet. It may be kept for a while. */
export interface Poll {
  /** Answers, once. */
  answer(script: string): void;
  /** `listener` is told once the answer has left, or the client has gone away. */
  onClosed(listener: () => void): void;
}

/** A poll over HTTP. */
export class HttpPoll implements Poll {
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  answer(script: string): void {
    sendText(this.#response, 'application/javascript', script);
  }

  onClosed(listener: () => void): void {
    // A client may be gone before its request is looked at.
    if (this.#response.destroyed) listener();
    else this.#response.once('close', listener);
  }
}

/** Answers a request with a text of a type that nothing on the way keeps or takes for another. */
export function sendText(response: ServerResponse, type: string, text: string): void {
  const bytes = Buffer.from(text);
  response.writeHead(200, {
    'content-type': `${type}; charset=utf-8`,
    'content-length': bytes.length,
    'cache-control': 'no-cache',
    'access-control-allow-origin': '*',
    'x-content-type-options': 'nosniff',
  });
  response.end(bytes);
}
