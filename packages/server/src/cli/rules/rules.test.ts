import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PROCESS_LIMIT_MS, ProgramRunner } from '../program.fixture.ts';

let program: ProgramRunner;
beforeEach(() => {
  program = new ProgramRunner();
});
afterEach(() => program[Symbol.dispose]());

const RULES = `{
  "rules": {
    "rooms": {
      "$room": {
        // Signed-in users, and all clients if the room is open.
        ".read": "auth != null || data.child('open').val() == true",
        ".write": "auth.uid == data.child('owner').val()"
      }
    }
  }
}
`;

const CASES = `{
  "data": {"rooms": {"lobby": {"owner": "alice"}}},
  "cases": [
    {"as": "alice", "write": "/rooms/lobby/topic", "value": "tea", "expect": "allow"},
    {"read": "/rooms/lobby", "expect": "allow"}
  ]
}
`;

/** Runs `hearth rules` in the runner's directory. */
function rules(...args: readonly string[]): ReturnType<ProgramRunner['run']>['ended'] {
  return program.run('rules', ...args).ended;
}

function write(name: string, text: string): void {
  writeFileSync(program.path(name), text);
}

test(
  '[H280][H285][H330] check prints every problem with its position',
  async () => {
    write('right.json', RULES);
    write('wrong.json', '{"rules": {\n  ".read": "auht != null",\n  ".write": "data.exist()"\n}}');
    const [right, wrong, missing, nameless] = await Promise.all([
      rules('check', 'right.json'),
      rules('check', 'wrong.json'),
      rules('check', 'none.json'),
      rules('check'),
    ]);
    expect(right).toEqual({ code: 0, stdout: 'right.json is valid.\n', stderr: '' });
    expect(wrong).toMatchObject({ code: 1, stderr: '' });
    expect(wrong.stdout).toMatch(
      /^wrong\.json:2:\d+: Unknown variable 'auht'\..*\nwrong\.json:3:\d+: No such method\/property 'exist'\..*\nwrong\.json has 2 problems\.\n$/,
    );
    expect(missing).toMatchObject({
      code: 2,
      stderr: 'hearth: none.json does not exist.\n',
    });
    expect(nameless).toMatchObject({
      code: 2,
      stderr: 'hearth: Specify a rules file. No firebase.json exists here or in a parent directory.\n',
    });
    write('firebase.json', '{"database": {"rules": "right.json"}}');
    mkdirSync(program.path('inside'));
    const inside = await program.runIn(program.path('inside'), 'rules', 'check').ended;
    expect(inside).toMatchObject({ code: 0, stdout: expect.stringMatching(/right\.json is valid\.\n$/) });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H281][H282][H285][H286] test runs cases, explains failures, and lists what no case evaluated',
  async () => {
    write('rules.json', RULES);
    write('cases.json', CASES);
    const { code, stdout, stderr } = await rules('test', 'rules.json', 'cases.json', '--coverage');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'ok    alice writes /rooms/lobby/topic',
      '',
      'FAIL  anonymous reads /rooms/lobby  cases.json:5:5',
      '      expected to be allowed',
      '      Denied: no .read at or above /rooms/lobby holds.',
      '',
      '      .read of /rooms/$room for /rooms/lobby does not hold  rules.json:6:19',
      "        auth != null || data.child('open').val() == true  false",
      '          auth != null                                    false',
      '            auth                                          null',
      "          data.child('open').val() == true                false",
      "            data.child('open').val()                      null",
      "              data.child('open')                          /rooms/lobby/open",
      '',
      'Coverage: 0 of 4 expressions evaluated to both true and false.',
      'rules.json:6:19  never true   auth != null',
      "rules.json:6:35  never true   data.child('open').val() == true",
      "rules.json:7:20  never false  auth.uid == data.child('owner').val()",
      '',
      '1 of 2 cases failed.',
      '',
    ]);
    write('firebase.json', '{"database": {"rules": "rules.json"}}');
    const json = await rules('test', 'cases.json', '--format', 'json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      passed: 1,
      failed: 1,
      cases: [
        { line: 4, column: 5, expected: 'allow', passed: true, explanation: { isAllowed: true } },
        { name: 'anonymous reads /rooms/lobby', passed: false, explanation: { deciding: { kind: 'read' } } },
      ],
    });
    write('good.json', '{"cases": [{"read": "/", "expect": "deny"}]}');
    expect(await rules('test', 'good.json')).toEqual({
      code: 0,
      stdout: 'ok    anonymous reads /\n\n1 case passed.\n',
      stderr: '',
    });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H281] an invalid file, a file without cases, or a surplus argument runs nothing',
  async () => {
    write('rules.json', RULES);
    write('cases.json', '{"cases": [\n  {"reed": "/", "expect": "deny"}]}');
    expect(await rules('test', 'rules.json', 'cases.json')).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /^hearth: the cases are not valid\ncases\.json:2:3: A case must have one of .*\ncases\.json:2:4: A case has no field "reed"\. Did you mean 'read'\?\n$/,
      ),
    });
    write('none.json', '{"cases": []}');
    expect(await rules('test', 'rules.json', 'none.json')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'hearth: none.json contains no cases. Nothing was tested.\n',
    });
    write('rules.json', '{');
    expect(await rules('test', 'rules.json', 'cases.json')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: the rules are not valid\nrules\.json:1:2: Parse error\./),
    });
    expect(await rules('test', 'a', 'b', 'c')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^hearth: Specify a rules file/),
    });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H284][H286][H333] explain prints the reason, with the data of a file',
  async () => {
    write('rules.json', RULES);
    write('data.json', '{"rooms": {"lobby": {"owner": "alice"}}}');
    const common = ['--rules', 'rules.json', '--data', 'data.json'];
    const removal = ['--write', '/rooms/lobby', '--value', 'null'];
    const [denied, allowed] = await Promise.all([
      rules('explain', ...common, '--as', 'bob', ...removal),
      rules('explain', ...common, '--as', '{"uid":"alice"}', ...removal, '--format', 'json'),
    ]);
    expect(denied).toMatchObject({ code: 0, stderr: '' });
    expect(denied.stdout.split('\n').slice(0, 5)).toEqual([
      'Denied: no .write at or above /rooms/lobby holds.',
      '',
      '.write of /rooms/$room for /rooms/lobby does not hold  rules.json:7:20',
      "  auth.uid == data.child('owner').val()  false",
      '    auth.uid                             "bob"',
    ]);
    expect(JSON.parse(allowed.stdout)).toMatchObject({ isAllowed: true, deciding: { kind: 'write' } });
    const noServer = ['--rules', 'rules.json', '--read', '/', '--url', 'http://127.0.0.1:9'];
    expect(await rules('explain', ...noServer)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        / does not answer .* without a server, name a data file with --data\.\n$/,
      ),
    });
    const wrong = [[], ['--read', '/', '--write', '/'], ['--write', '/'], ['--write', '/', '--value', '{']];
    for (const run of await Promise.all(wrong.map((args) => rules('explain', ...common, ...args))))
      expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(/^hearth: [^\n]+\n$/) });
  },
  PROCESS_LIMIT_MS,
);

test(
  '[H287][H288][H289][H332] publish, history and rollback work with a running server',
  async () => {
    const { url } = await program.serve('--data', 'data');
    const open = '{"rules": {".read": true, ".write": true}}';
    write('rules.json', RULES);
    write('open.json', open);
    write('wrong.json', '{"rules": 5}');
    const at = (...args: readonly string[]) => rules(...args, '--url', url);
    expect(await at('publish', 'open.json')).toEqual({
      code: 0,
      stdout: 'Published open.json for demo-default-rtdb as version 1.\n',
      stderr: '',
    });
    expect(await at('publish', 'rules.json', '--message', 'owners only')).toMatchObject({
      stdout: 'Published rules.json for demo-default-rtdb as version 2.\n',
    });
    expect(await at('publish', 'wrong.json')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^hearth: the rules are not valid\nwrong\.json:1:/),
    });
    const history = await at('history');
    expect(history.stdout).toMatch(
      /^version +published +by +size +message\n2 +\S+ \S+ UTC +server administrator +\S+ \S+ +owners only\n1 +\S+ \S+ UTC +server administrator +\S+ \S+\n$/,
    );
    const shown = await at('history', '2');
    expect(shown.stdout).toMatch(
      /^Version 2, published .* by server administrator, .*\nowners only\n\n--- version 1\n/,
    );
    expect(await at('rollback')).toMatchObject({
      code: 0,
      stdout: 'Published version 1 for demo-default-rtdb again, as version 3.\n',
    });
    const address = `${url}/.settings/rules.json?ns=demo-default-rtdb`;
    const answer = await fetch(address, { headers: { authorization: 'Bearer owner' } });
    expect(await answer.text()).toBe(open);
    expect(await at('rollback')).toMatchObject({
      code: 1,
      stderr:
        'hearth: Version 1 is current again, and no version before it exists. To undo the rollback: hearth rules rollback 2\n',
    });
    for (const id of ['1', '3'])
      expect(await at('rollback', id)).toMatchObject({
        code: 0,
        stdout: `Nothing to publish: version ${id} is already current for demo-default-rtdb, as version 3.\n`,
      });
    expect(await at('rollback', 'x')).toMatchObject({ code: 2 });
    expect(await at('history', '9')).toMatchObject({ code: 1, stderr: expect.stringMatching(/ 404: /) });
  },
  PROCESS_LIMIT_MS,
);
