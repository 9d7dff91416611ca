import { execFileSync } from 'node:child_process';
import { appendFileSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StartFailure } from '../../platform/failures.ts';
import { PROCESS_LIMIT_MS, ProgramRunner, ready, stop } from '../program.fixture.ts';
import { createProgram } from '../program.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

const DATABASE = 'demo-default-rtdb';

/**
 * Returns JSON text in export form, exactly as the server writes it. Its 22 MB need three requests of an
 * import.
 */
function largeText(): string {
  const item = `{"text":"${'z'.repeat(1_000)}",".priority":1}`;
  const items = Array.from({ length: 22_000 }, (_, i) => `"k${String(i).padStart(6, '0')}":${item}`);
  return `{"list":{${items.join(',')}}}`;
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Starts a proxy or a fake server. Returns its URL. */
async function listen(handle: Handler): Promise<Disposable & { readonly url: string }> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

function forward(url: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method = 'GET', headers } = incoming;
  const passed = request(`${url}${incoming.url ?? ''}`, { method, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
  passed.on('error', () => outgoing.destroy());
  incoming.pipe(passed);
}

test(
  '[H190][H192] export and import preserve the data, compressed or not',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const at = (...args: readonly string[]) => program.run(...args, '--url', url).ended;
    const text = '{"a":{".value":1,".priority":"p"},"b":{"c":"é"}}';
    writeFileSync(program.path('in.json.gz'), gzipSync(text));
    expect(await at('import', 'in.json.gz')).toMatchObject({
      code: 0,
      stdout: `Imported ${Buffer.byteLength(text)} bytes to / of ${DATABASE}.\n`,
      stderr: '',
    });
    expect((await at('export', 'out.json.gz')).code).toBe(0);
    expect(gunzipSync(readFileSync(program.path('out.json.gz'))).toString()).toBe(text);
    writeFileSync(program.path('out.json'), 'earlier');
    expect((await at('export', 'out.json', '--path', '/b')).code).toBe(0);
    expect(readFileSync(program.path('out.json'), 'utf8')).toBe('{"c":"é"}');
    expect((await at('import', 'out.json', '--database', 'other', '--path', 'x/y')).code).toBe(0);
    expect(await at('export', '-', '--database', 'other')).toMatchObject({
      code: 0,
      stdout: '{"x":{"y":{"c":"é"}}}',
    });
    expect(readdirSync(program.directory).filter((name) => name.endsWith('.part'))).toEqual([]);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H194][H195] an import merges or reports what it would change, and an invalid file changes nothing',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const at = (text: string, ...args: readonly string[]) => {
      writeFileSync(program.path('in.json'), text);
      return program.run('import', 'in.json', '--url', url, ...args).ended;
    };
    await at('{"a":1,"b":{"c":2,"d":3}}');
    expect((await at('{"a":1,"b":{"c":9},"e":4}', '--dry-run')).stdout).toBe(
      `Dry run on / of ${DATABASE}: 1 value added, 1 changed, 1 removed, 1 unchanged. Nothing was written.\n`,
    );
    expect((await at('{"b":5,"e":6}', '--merge')).stdout).toBe(`Merged 2 children into / of ${DATABASE}.\n`);
    for (const [text, sentence] of [
      ['{"a":1', /in\.json: .*at line 1, column 7 \(byte 6\)\.\n$/],
      ['{"a":1,\n "a":2}', /in\.json: .*"a".*at line 2, column 2 \(byte 9\)\.\n$/],
      ['hello', /in\.json: .*at line 1, column 1 \(byte 0\)\.\n$/],
    ] as const)
      expect(await at(text)).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) });
    const left = await (await fetch(`${url}/.json?ns=${DATABASE}`)).text();
    expect(left).toBe('{"a":1,"b":5,"e":6}');
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H194] a dry run says what a merge would change, and a deep merge keeps what the file lacks',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const address = `${url}/.json?ns=${DATABASE}`;
    const before = '{"a":1,"b":{"c":2,"d":3}}';
    await fetch(address, { method: 'PUT', headers: { authorization: 'Bearer owner' }, body: before });
    writeFileSync(program.path('merge.json'), '{"b":{"c":9},"e":4}');
    writeFileSync(program.path('deep.json'), '{"b":{"c":9},"e":{}}');
    const at = async (...args: readonly string[]) =>
      (await program.run('import', ...args, '--url', url).ended).stdout;
    expect(
      await Promise.all([
        at('merge.json', '--merge', '--dry-run'),
        at('deep.json', '--deep-merge', '--dry-run'),
      ]),
    ).toEqual([
      `Dry run with --merge on / of ${DATABASE}: 1 value added, 1 changed, 1 removed, 0 unchanged. Nothing was written.\n`,
      `Dry run with --deep-merge on / of ${DATABASE}: 0 values added, 1 changed, 0 removed, 0 unchanged. Nothing was written.\n`,
    ]);
    expect(await (await fetch(address)).text()).toBe(before);
    expect(await at('deep.json', '--deep-merge')).toBe(
      `Merged 1 node into / of ${DATABASE}, at every level.\n`,
    );
    expect(await (await fetch(address)).text()).toBe('{"a":1,"b":{"c":9,"d":3}}');
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H512] an unreadable file leaves no open import, unless the server has received some of it',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const left: string[] = [];
    using between = await listen((incoming, outgoing) => {
      if (incoming.method === 'PUT') left.push(incoming.url ?? '');
      if (incoming.method === 'DELETE') left.splice(left.indexOf(incoming.url ?? ''), 1);
      forward(url, incoming, outgoing);
    });
    const at = async (bytes: Buffer) => {
      writeFileSync(program.path('in.json.gz'), bytes);
      return program.run('import', 'in.json.gz', '--url', between.url).ended;
    };
    const whole = gzipSync('{"a":1}');
    for (const bytes of [Buffer.from('{"a":1}'), whole.subarray(0, -9)])
      expect(await at(bytes)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^hearth: The file \S+in\.json\.gz cannot be read: [^\n]+\n$/),
      });
    expect(left).toEqual([]);
    expect(await at(gzipSync(largeText()).subarray(0, -9))).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        / cannot be read: .* The server keeps the received \d{7,} bytes .* add --restart to start over\.\n$/,
      ),
    });
    expect(left).toHaveLength(1);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H192][H193] an interrupted import resumes, unless the file has changed',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const file = program.path('in.json');
    const text = largeText();
    writeFileSync(file, text);
    let pieces = 0;
    let onSecond = () => {};
    // The proxy never answers the second piece.
    using hanging = await listen((incoming, outgoing) => {
      pieces += incoming.method === 'PATCH' ? 1 : 0;
      if (pieces < 2) forward(url, incoming, outgoing);
      else onSecond();
    });
    const first = program.run('import', 'in.json', '--url', hanging.url);
    onSecond = () => void first.child.kill('SIGINT');
    expect(await first.ended).toMatchObject({
      code: 130,
      stdout: '',
      stderr: expect.stringMatching(
        /Run the same command again to resume from here\.\nhearth: interrupted by SIGINT\n$/,
      ),
    });
    appendFileSync(file, ' ');
    writeFileSync(file, text.replace('z', 'y'));
    expect(await program.run('import', 'in.json', '--url', url).ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/has changed since \d+ bytes of it were sent: add --restart/),
    });
    writeFileSync(file, text);
    expect(await program.run('import', 'in.json', '--url', url).ended).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Resuming from byte \d{7} /),
    });
    expect((await program.run('export', 'out.json', '--url', url).ended).code).toBe(0);
    expect(readFileSync(program.path('out.json'), 'utf8') === text).toBe(true);
    const again = await program.run('import', 'in.json', '--url', url, '--restart').ended;
    expect(again).toMatchObject({ code: 0, stderr: '' });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H196] an import waits for a server that is temporarily unavailable, and then continues',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const text = largeText();
    writeFileSync(program.path('in.json'), text);
    let pieces = 0;
    let rejected = 0;
    using between = await listen((incoming, outgoing) => {
      pieces += incoming.method === 'PATCH' ? 1 : 0;
      if (pieces < 2 || rejected === 4) {
        forward(url, incoming, outgoing);
        return;
      }
      rejected += 1;
      incoming.resume();
      outgoing.writeHead(rejected % 2 === 0 || incoming.method === 'PUT' ? 503 : 409);
      outgoing.end('{"error":"not now"}');
    });
    const { code, stderr } = await program.run('import', 'in.json', '--url', between.url).ended;
    expect({ code, rejected }).toEqual({ code: 0, rejected: 4 });
    expect(stderr).toMatch(/Retrying/);
    expect((await program.run('export', 'out.json', '--url', url).ended).code).toBe(0);
    expect(readFileSync(program.path('out.json'), 'utf8') === text).toBe(true);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H196] an import waits for a server that is killed and restarted, and then continues',
  async () => {
    let { server, url } = await program.serve('--data', 'data');
    const text = largeText();
    writeFileSync(program.path('in.json'), text);
    let pieces = 0;
    using between = await listen((incoming, outgoing) => {
      pieces += incoming.method === 'PATCH' ? 1 : 0;
      if (pieces === 2 && incoming.method === 'PATCH') {
        outgoing.destroy();
        server.child.kill('SIGKILL');
        void server.ended.then(async () => {
          server = program.run('dev', '--port', '0', '--data', 'data');
          url = await ready(server);
        });
      } else if (server.child.exitCode !== null || server.child.killed) outgoing.destroy();
      else forward(url, incoming, outgoing);
    });
    const { code, stderr } = await program.run('import', 'in.json', '--url', between.url).ended;
    expect(code).toBe(0);
    expect(stderr).toMatch(/The server stopped answering after \d+ bytes\. Retrying\.\n/);
    expect((await program.run('export', 'out.json', '--url', url).ended).code).toBe(0);
    expect(readFileSync(program.path('out.json'), 'utf8') === text).toBe(true);
    expect((await stop(server)).code).toBe(0);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H191] an interrupted export leaves no file',
  async () => {
    let onRequest = () => {};
    using hanging = await listen((_incoming, outgoing) => {
      outgoing.write('{"a":', () => onRequest());
    });
    const { child, ended } = program.run('export', 'out.json', '--url', hanging.url);
    onRequest = () => void child.kill('SIGTERM');
    expect(await ended).toMatchObject({ code: 143, stderr: 'hearth: interrupted by SIGTERM\n' });
    expect(readdirSync(program.directory)).toEqual([]);
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H191] a response that is interrupted is an error, and leaves no file',
  async () => {
    using broken = await listen((_incoming, outgoing) => {
      outgoing.write('{"a":', () => outgoing.destroy());
    });
    const { code, stderr } = await program.run('export', 'out.json', '--url', broken.url).ended;
    expect({ code, files: readdirSync(program.directory) }).toEqual({ code: 1, files: [] });
    expect(stderr).toMatch(
      /^hearth: The response was interrupted after 5 bytes\. Nothing was saved\. [^\n]+\n$/,
    );
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H511] an export touches no other file, follows links, and writes directly to a pipe',
  async () => {
    let status = 401;
    using answering = await listen((_incoming, outgoing) => {
      outgoing.writeHead(status).end('{"a":1}');
    });
    const { url } = answering;
    for (const name of ['out.json', 'out.json.part', 'out.json.1.part'])
      writeFileSync(program.path(name), 'mine');
    symlinkSync('out.json', program.path('link.json'));
    symlinkSync('fresh.json', program.path('dangling.json'));
    execFileSync('/usr/bin/mkfifo', [program.path('pipe')]);
    const before = readdirSync(program.directory);
    expect((await program.run('export', 'out.json', '--url', url).ended).code).toBe(1);
    expect(readFileSync(program.path('out.json'), 'utf8')).toBe('mine');
    status = 200;
    expect((await program.run('export', 'link.json', '--url', url).ended).code).toBe(0);
    expect((await program.run('export', 'dangling.json', '--url', url).ended).code).toBe(0);
    const piped = readFile(program.path('pipe'), 'utf8');
    expect((await program.run('export', 'pipe', '--url', url).ended).code).toBe(0);
    expect(await piped).toBe('{"a":1}');
    expect(readdirSync(program.directory)).toEqual([...before, 'fresh.json'].sort());
    const texts = ['out.json', 'fresh.json', 'out.json.part', 'out.json.1.part'].map((name) =>
      readFileSync(program.path(name), 'utf8'),
    );
    expect(texts).toEqual(['{"a":1}', '{"a":1}', 'mine', 'mine']);
    expect(lstatSync(program.path('link.json')).isSymbolicLink()).toBe(true);
    expect(lstatSync(program.path('pipe')).isFIFO()).toBe(true);
  },
  PROCESS_LIMIT_MS,
);

test.each([
  [['export', 'x', '--url', 'ftp://a'], /^--url must be an address/],
  [['export', 'x', '--url', 'https://db.example'], /A credential for https:\/\/db\.example is missing\./],
  [['export', 'x', '--database', 'a.b'], /^--database must be/],
  [['export', 'x', '--path', 'a.b'], /^--path must be/],
  [['import', '/missing'], /^The file \/missing does not exist\.$/],
  [['import', '/dev/null', '--merge', '--deep-merge'], /^--merge and --deep-merge .* cannot be combined\.$/],
])('[H198] %j is rejected before any request is sent', async (args, sentence) => {
  const running = createProgram().parseAsync(args, { from: 'user' });
  await expect(running).rejects.toThrow(StartFailure);
  await expect(running).rejects.toThrow(sentence);
});

test(
  '[H198] the exit code is 2 for an unreachable server and 1 for a rejected request, each with one sentence',
  async () => {
    const { server, url } = await program.serve('--data', 'data');
    using refusing = await listen((_incoming, outgoing) => {
      outgoing.writeHead(401).end('{"error":"Permission denied"}');
    });
    await stop(server);
    expect(await program.run('export', 'x', '--url', url).ended).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^hearth: The server at \S+ does not answer \(.*\)\. Looked for a server in \S+, which does not exist\. Start it, [^\n]+\n$/,
      ),
    });
    expect(await program.run('export', 'x', '--url', refusing.url).ended).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^hearth: The server answered 401: Permission denied\. Looked for a server in [^\n]+\n$/,
      ),
    });
  },
  PROCESS_LIMIT_MS,
);
