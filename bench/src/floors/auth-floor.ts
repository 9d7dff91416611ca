import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { parseFloorArguments } from './arguments.ts';

/** Responses of about the same length as Hearth's. */
const LOOKUP = Buffer.from(JSON.stringify({ kind: 'lookup', users: [{ localId: 'x'.repeat(520) }] }));
const REFRESH = Buffer.from(JSON.stringify({ id_token: 'x'.repeat(560), access_token: 'x'.repeat(560) }));

/**
 * The minimum work of a lookup and of a token refresh: the floor parses the body of each request, and always
 * sends the same response.
 */
const { port } = parseFloorArguments();

function answer(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    JSON.parse(Buffer.concat(chunks).toString());
    const body = request.url?.startsWith('/v1/token') === true ? REFRESH : LOOKUP;
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body.length,
    });
    response.end(body);
  });
}

createServer(answer).listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`));
