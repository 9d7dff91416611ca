import type { Duplex } from 'node:stream';
import { endWithError } from './end-with-error.ts';

/** Answers a request that could not even be read: not HTTP, headers too large, too slow. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      endWithError(socket, 431, 'The address and the headers of the request are too long.');
      break;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      endWithError(socket, 408, 'The request took too long to arrive.');
      break;
    default:
      endWithError(socket, 400, 'The request is not valid HTTP.');
  }
}
