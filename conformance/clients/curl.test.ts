import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { expect, inject, onTestFinished, test } from 'vitest';
import { parseJson } from '../drivers/json.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { until } from '../drivers/until.ts';
import { writeData } from './owner-request.ts';
import { runProgram } from './run-program.ts';

/**
 * Requests a path of a database with `curl`. Returns the status, the content type and the other output. Fails the test
 * unless `curl` ends with code 0.
 */
async function curl(database: string, target: string, ...args: readonly string[]) {
  const [path = '', query = ''] = target.split('?');
  const url = `${inject('serverUrl')}${path}?ns=${database}${query === '' ? '' : `&${query}`}`;
  const { code, stdout } = await runProgram({
    command: 'curl',
    args: ['--silent', '--show-error', '--write-out', '\n%{http_code} %{content_type}', ...args, url],
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '' },
  });
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  return {
    status: lines.at(-1)?.split(' ')[0],
    type: lines.at(-1)?.slice(4),
    body: lines.slice(0, -1).join('\n'),
  };
}

test('[S277] curl writes with -X and -d, even though it labels the JSON as a form', async () => {
  const database = await openNamespace();
  const jack = { name: { first: 'Jack', last: 'Sparrow' } };
  const put = await curl(database, '/users/jack.json', '-X', 'PUT', '-d', JSON.stringify(jack));
  expect(put).toMatchObject({ status: '200', type: 'application/json; charset=utf-8' });
  expect(parseJson(put.body)).toEqual(jack);
  const patch = await curl(database, '/users/jack/name.json', '-X', 'PATCH', '-d', '{"last":"Jones"}');
  expect(patch.body).toBe('{"last":"Jones"}');
  expect(parseJson((await curl(database, '/users/jack/name.json')).body)).toEqual({
    first: 'Jack',
    last: 'Jones',
  });
});

test('[S277] curl -d alone adds a child, and -X DELETE deletes', async () => {
  const database = await openNamespace();
  const post = await curl(database, '/list.json', '-d', '{"t":1}');
  expect(post.body).toMatch(/^\{"name":"-[\w-]{19}"\}$/);
  expect((await curl(database, '/list.json', '-X', 'DELETE')).body).toBe('null');
  expect((await curl(database, '/list.json?print=pretty')).body.trim()).toBe('null');
});

test('[S277] curl receives the status of an error, and with --head only the headers', async () => {
  const database = await openNamespace({ rules: { open: { '.read': true } } });
  expect(await curl(database, '/secret.json')).toMatchObject({
    status: '401',
    body: '{"error":"Permission denied"}',
  });
  expect(await curl(database, '/secret.json', '-H', 'Authorization: Bearer owner')).toMatchObject({
    status: '200',
  });
  expect((await curl(database, '/open.json', '--head')).body).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test('[S277] curl -N shows a stream as it arrives, with redirects allowed as the official guide says', async () => {
  const database = await openNamespace();
  await writeData(database, '/s', { a: 1 });
  const url = `${inject('serverUrl')}/s.json?ns=${database}`;
  const child = spawn('curl', ['-N', '-L', '--silent', '-H', 'Accept: text/event-stream', url]);
  onTestFinished(() => void child.kill());
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    shown += text;
  });
  await until(() => expect(shown).toBe('event: put\ndata: {"path":"/","data":{"a":1}}\n\n'));
  await writeData(database, '/s/b', 2);
  await until(() => expect(shown).toContain('event: put\ndata: {"path":"/b","data":2}\n\n'));
});
