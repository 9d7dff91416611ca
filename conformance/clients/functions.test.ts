import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../drivers/json.ts';
import { openDataDir, startServer } from '../drivers/server-process.ts';
import { listenOnLoopback } from '../drivers/test-bed.ts';
import { until } from '../drivers/until.ts';

/** A request to the functions emulator to run a function: the address and the event. */
interface Run {
  readonly url: string;
  readonly event: Json;
}

/** Opens a fake functions emulator, which only records requests, and a server that notifies it. */
async function openFunctions() {
  const runs: Run[] = [];
  const functions = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
    request.once('end', () => {
      runs.push({ url: `${request.method} ${request.url}`, event: parseJson(text) });
      response.setHeader('content-type', 'application/json').end('{"status":"acknowledged"}');
    });
  });
  const { host } = new URL(await listenOnLoopback(functions));
  const data = await openDataDir();
  const server = await startServer({ dataDir: data.path, args: ['--functions-emulator', host] });
  onTestFinished(async () => {
    await server.stop();
    await data.remove();
    functions.closeAllConnections();
    functions.close();
  });
  const send = async (method: string, target: string, body: Json) => {
    const answer = await fetch(server.url + target, {
      method,
      headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: parseJson(await answer.text()) };
  };
  return { runs, send };
}

/** Registrations as firebase-tools sends them: the first with the database in the address, the second without. */
const FIRST = {
  name: 'projects/demo/locations/_/functions/us-central1-first-0',
  path: '/msgs/{id}',
  event: 'providers/google.firebase.database/eventTypes/ref.write',
  topic: 'projects/demo/topics/us-central1-first-0',
};
const SECOND = {
  name: 'projects/demo/locations/us-central1/triggers/us-central1-second-0',
  path: 'msgs/{id}',
  event: 'google.firebase.database.ref.v1.created',
  topic: 'projects/demo/topics/us-central1-second-0',
  namespacePattern: '*',
};

test('[S284] functions that the functions emulator registers are notified of writes', async () => {
  const { runs, send } = await openFunctions();
  expect((await send('POST', '/.settings/functionTriggers.json?ns=demo', FIRST)).status).toBe(200);
  expect((await send('POST', '/.settings/functionTriggers.json', SECOND)).status).toBe(200);
  await send('PUT', '/msgs/silent.json?ns=demo&disableTriggers=true', 'no function runs');
  await send('PUT', '/msgs/m1.json?ns=demo', { text: 'hello' });
  await send('PATCH', '/msgs.json?ns=demo', { 'm1/text': 'bye', silent: null });
  await until(() => expect(runs).toHaveLength(4));
  const seen = runs.map(({ url, event }) => [url.split('/').at(-1), isJsonObject(event) && event['data']]);
  const second = { '@type': expect.any(String) };
  expect(seen).toEqual(
    expect.arrayContaining([
      ['us-central1-first-0', { data: null, delta: { text: 'hello' } }],
      ['us-central1-second-0', { ...second, data: null, delta: { text: 'hello' } }],
      ['us-central1-first-0', { data: { text: 'hello' }, delta: { text: 'bye' } }],
      ['us-central1-first-0', { data: 'no function runs', delta: null }],
    ]),
  );
  expect(runs.map(({ url }) => url)).toContain('POST /functions/projects/demo/triggers/us-central1-first-0');
});
