import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { open } from 'lmdb';
import { parseFloorArguments } from './arguments.ts';

/**
 * The least that a REST server over the same store can do: `GET` reads one value, `PUT` is stored with everything else
 * that arrived in the same turn of the event loop, in one durable transaction, and echoed.
 */
const { port, dataDirectory } = parseFloorArguments();
const database = open<Buffer, string>({ path: join(dataDirectory, 'data.mdb'), encoding: 'binary' });
let pending: { readonly url: string; readonly body: Buffer; readonly response: ServerResponse }[] = [];

function commit(): void {
  const batch = pending;
  pending = [];
  database.transactionSync(() => {
    for (const { url, body } of batch) database.putSync(url, body);
  });
  for (const { body, response } of batch) answer(response, body);
}

function answer(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
  });
  response.end(body);
}

function store(request: IncomingMessage, url: string, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    JSON.parse(body.toString());
    if (pending.length === 0) setImmediate(commit);
    pending.push({ url, body, response });
  });
}

const server = createServer((request, response) => {
  const url = request.url ?? '/';
  if (request.method === 'PUT') store(request, url, response);
  else answer(response, database.get(url) ?? Buffer.from('null'));
});
server.listen(port, '127.0.0.1', () => console.log(`ready http://127.0.0.1:${port}`));
