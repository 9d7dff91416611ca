import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner, printed } from '../program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

/** Responses of a server by method and path. */
type Answers = Readonly<Record<string, unknown>>;

interface TestBed extends Disposable {
  readonly url: string;
  /** The received bodies by method and path. */
  readonly bodies: ReadonlyMap<string, unknown>;
}

/**
 * Starts a fake server that sends these responses. `live.test.ts` covers the responses of the real server.
 */
async function serve(answers: Answers): Promise<TestBed> {
  const bodies = new Map<string, unknown>();
  const server = createServer(async (incoming, outgoing) => {
    const request = `${incoming.method} ${incoming.url}`;
    let text = '';
    for await (const chunk of incoming) text += chunk;
    if (text !== '') bodies.set(request, JSON.parse(text));
    const answer = answers[request];
    outgoing.writeHead(answer === undefined ? 404 : 200);
    outgoing.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? { error: request }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('not listening');
  return {
    url: `http://127.0.0.1:${address.port}`,
    bodies,
    [Symbol.dispose]: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const API = '/api/databases/demo-default-rtdb';
const RULES = '{"rules": {".read": "auth != null"}}';
const SPAN = { start: RULES.indexOf('auth'), end: RULES.indexOf('auth') + 'auth != null'.length };

/**
 * Returns the step of the expression in `RULES` for an anonymous client. `at` is the offset of the expression in the
 * source.
 */
function anonymousStep(at: number): unknown {
  return {
    span: { start: SPAN.start - at, end: SPAN.end - at },
    value: { kind: 'scalar', value: false },
    steps: [],
  };
}

test(
  '[H284] explain asks a server, which uses its current data and the published rules or a draft',
  async () => {
    const trace = { kind: 'read', location: '/', place: '/', holds: false, step: anonymousStep(0) };
    const explanation = { isAllowed: false, deniedPath: '/a', rules: [trace], deciding: trace };
    using server = await serve({ [`POST ${API}/rules/explain`]: { ...explanation, source: RULES } });
    const { url, bodies } = server;
    expect(await program.run('rules', 'explain', '--read', '/a', '--url', url).ended).toEqual({
      code: 0,
      stdout: `Denied: no .read at or above /a holds.\n\n.read of / does not hold  rules:1:${SPAN.start + 1}\n  auth != null  false\n`,
      stderr: '',
    });
    const request = `POST ${API}/rules/explain`;
    expect(bodies.get(request)).toEqual({ auth: null, operation: 'read', path: '/a' });
    writeFileSync(program.path('draft.json'), RULES);
    const write = ['--as', 'bob', '--update', '/a', '--value', '{"b": 9007199254740993}'];
    const draft = ['--rules', 'draft.json', '--format', 'json', '--url', url];
    const { stdout } = await program.run('rules', 'explain', ...write, ...draft).ended;
    expect(JSON.parse(stdout)).toEqual(explanation);
    expect(bodies.get(request)).toMatchObject({
      auth: { uid: 'bob' },
      operation: 'update',
      path: '/a',
      source: RULES,
    });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H290][H286][H330] replay prints what a draft would change, and saves the examples as cases',
  async () => {
    const example = { as: null, read: '/a', expect: 'allow' };
    const report = {
      operations: 1_200,
      notRecorded: 2,
      sampledOut: 1_001,
      allowedToDenied: [
        { rule: { kind: 'read', location: '/', text: 'auth != null' }, count: 12, examples: [example] },
        { rule: null, count: 1, examples: [] },
      ],
      deniedToAllowed: [],
    };
    using server = await serve({ [`POST ${API}/rules/replay`]: report });
    writeFileSync(program.path('draft.json'), RULES);
    const at = (...args: readonly string[]) =>
      program.run('rules', 'replay', 'draft.json', ...args, '--url', server.url).ended;
    expect(await at('--save', 'examples.json')).toEqual({
      code: 0,
      stdout: [
        'draft.json changes the result of 13 of 1,200 recorded operations.',
        '',
        'Allowed before, denied by the draft',
        '  12  .read of /: auth != null',
        `        ${JSON.stringify(example)}`,
        '   1  no rule',
        '',
        'Not included: 2 operations that were too long to be recorded, and 1,001 that arrived too fast to be recorded.',
        '',
      ].join('\n'),
      stderr: 'Saved 1 example to examples.json.\n',
    });
    expect(server.bodies.get(`POST ${API}/rules/replay`)).toEqual({ source: RULES });
    expect(JSON.parse(readFileSync(program.path('examples.json'), 'utf8'))).toEqual({ cases: [example] });
    const tested = await program.run('rules', 'test', 'draft.json', 'examples.json').ended;
    expect(tested).toMatchObject({ code: 1, stdout: expect.stringContaining('FAIL  anonymous reads /a') });
    expect(await at('--save', 'examples.json', '--format', 'json')).toMatchObject({
      code: 2,
      stderr: 'hearth: The examples were not saved: examples.json already exists. Name a new file.\n',
    });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H291][H293] denials are listed, shown with their trace, and followed',
  async () => {
    const denial = {
      id: 7,
      timeMs: 1_769_860_805_000,
      operation: 'listen',
      paths: ['/a'],
      pathCount: 1,
      identity: { kind: 'guest' },
    };
    const rule = { kind: 'read', location: '/', place: '/', holds: false, text: 'auth != null' };
    const second = {
      ...denial,
      id: 8,
      paths: ['/a\u202eb'],
      identity: { kind: 'user', auth: { uid: 'b\u001b[1mb' } },
      rule: null,
    };
    const list = { denials: [second, { ...denial, rule }], sampledOut: 3 };
    using server = await serve({
      [`GET ${API}/denials?limit=20`]: list,
      [`GET ${API}/denials?limit=2&path=%2Fa`]: { denials: [], sampledOut: 0 },
      [`GET ${API}/denials?limit=100`]: { denials: [{ ...second, id: 9 }, second], sampledOut: 0 },
      [`GET ${API}/denials/7`]: {
        ...denial,
        deciding: 0,
        rules: [{ ...rule, step: anonymousStep(SPAN.start) }],
      },
    });
    const denials = (...args: readonly string[]) =>
      program.run('rules', 'denials', ...args, '--url', server.url);
    const lines = [
      '8   2026-01-31 12:00:05 UTC  b\ufffd[1mb     listen     /a\ufffdb  no rule',
      '7   2026-01-31 12:00:05 UTC  anonymous  listen     /a    .read of /',
    ];
    expect((await denials().ended).stdout.split('\n')).toEqual([
      'id  denied                   caller     operation  path  decided by',
      ...lines,
      '',
      'To see why: hearth rules denials 8',
      '',
      'Not stored: 3 more denials, because too many arrived at the same time.',
      '',
    ]);
    expect((await denials('--limit', '2', '--path', '/a').ended).stdout).toBe('No denials.\n');
    expect((await denials('7').ended).stdout.split('\n')).toEqual([
      'Denial 7, 2026-01-31 12:00:05 UTC: listen of /a by anonymous',
      '',
      'Denied: no .read at or above /a holds.',
      '',
      '.read of / does not hold',
      '  auth != null  false',
      '',
    ]);
    const following = denials('--follow');
    await printed(following, 'stdout', /\n9 .*\n/);
    expect(following.output.stdout.split('\n').map((line) => line.split(' ', 1)[0])).toEqual([
      '7',
      '8',
      '9',
      '',
    ]);
    following.child.kill('SIGINT');
    expect(await following.ended).toMatchObject({ code: 130 });
    expect(await denials('7', '--follow').ended).toMatchObject({ code: 2 });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H292] an unexpected response of a server is reported in one sentence',
  async () => {
    using server = await serve({
      [`GET ${API}/denials?limit=20`]: '<html>',
      [`GET ${API}/rules/versions?limit=100`]: { versions: [{ id: 'x' }] },
    });
    const at = (...args: readonly string[]) => program.run('rules', ...args, '--url', server.url).ended;
    const [denials, history, missing] = await Promise.all([at('denials'), at('history'), at('history', '3')]);
    expect(denials).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: .* did not answer with JSON/),
    });
    expect(history).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: .*"id" of item 0 of "versions"/),
    });
    expect(missing).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: The server answered 404: /),
    });
  },
  PROCESS_LIMIT_MS,
);
