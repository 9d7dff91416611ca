import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { open } from 'lmdb';
import { parseFloorArguments } from './arguments.ts';

/** The number of writes that Hearth's log keeps. */
const MAX_RECORDS = 20_000;

/**
 * The minimum work of a REST server over LMDB, as Hearth uses it. `GET` reads one value. `PUT` stores the value in one
 * durable transaction with everything else that arrived in the same iteration of the event loop, and sends the value back.
 * With `--lie none` the transaction contains the same as Hearth's: the value, and a record of the write in a
 * log of the latest writes. With `--lie unlogged` it contains only the value.
 */
const { port, dataDirectory, lie } = parseFloorArguments();
const root = open<Buffer, string>({ path: join(dataDirectory, 'data.mdb'), encoding: 'binary' });
const database = root.openDB<Buffer, string>({ name: 'values', encoding: 'binary' });
const log = root.openDB<string, number>({ name: 'log', encoding: 'string' });
let records = 0;
let pending: { readonly url: string; readonly body: Buffer; readonly response: ServerResponse }[] = [];

function commit(): void {
  const batch = pending;
  pending = [];
  root.transactionSync(() => {
    for (const { url, body } of batch) {
      database.putSync(url, body);
      if (lie === 'none') record(url, body);
    }
  });
  for (const { body, response } of batch) answer(response, body);
}

function record(url: string, body: Buffer): void {
  records += 1;
  log.putSync(records, `[${Date.now()},[["${url}",${body.toString()}]]]`);
  if (records > MAX_RECORDS) log.removeSync(records - MAX_RECORDS);
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
