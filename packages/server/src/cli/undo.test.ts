import { afterEach, beforeEach, expect, test } from 'vitest';
import { ProgramRunner, type Run } from './program.fixture.ts';

let program: ProgramRunner;

beforeEach(() => {
  program = new ProgramRunner();
});

afterEach(() => {
  program[Symbol.dispose]();
});

async function ask(url: string, method: string, body?: unknown): Promise<{ readonly change?: number }> {
  const response = await fetch(url, {
    method,
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(response.status).toBe(200);
  return response.json() as Promise<{ readonly change?: number }>;
}

async function kill({ child, ended }: Run): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

test('[L120] a removal and its undo survive kill -9', async () => {
  const rows = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`k${index}`, { n: index }]));
  const changes = '/api/databases/demo-default-rtdb/changes';
  let { server, url } = await program.serve('--data', 'data');
  await ask(`${url}/rows.json?ns=demo-default-rtdb`, 'PUT', rows);
  const { change } = await ask(`${url}${changes}`, 'POST', { changes: { rows: null }, isUndoable: true });
  await kill(server);
  ({ server, url } = await program.serve('--data', 'data'));
  expect(await ask(`${url}/rows.json?ns=demo-default-rtdb`, 'GET')).toBeNull();
  await ask(`${url}${changes}/${change}/undo`, 'POST');
  await kill(server);
  ({ server, url } = await program.serve('--data', 'data'));
  expect(await ask(`${url}/rows.json?ns=demo-default-rtdb`, 'GET')).toEqual(rows);
});
