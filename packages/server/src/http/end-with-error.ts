import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';

/** Answers with JSON `{"error": sentence}` on a socket that no HTTP response object stands for, and closes it. */
export function endWithError(socket: Duplex, status: number, error: string): void {
  const body = JSON.stringify({ error });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Access-Control-Allow-Origin: *',
    'Cache-Control: no-cache',
  ];
  // The peer may be gone already, and nobody is left to be told.
  socket.on('error', () => socket.destroy());
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}
