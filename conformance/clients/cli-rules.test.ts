import { describe, expect, inject, test } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../drivers/json.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { useFirebaseCli } from './firebase-cli.ts';
import { ownerRequest } from './owner-request.ts';
import type { Ended } from './run-program.ts';

const cli = useFirebaseCli();

/**
 * The first variable enables the experimental commands for rulesets. These commands prepend the database name to the
 * host in the second.
 */
const ENV = {
  FIREBASE_CLI_EXPERIMENTS: 'rtdbrules',
  FIREBASE_REALTIME_URL: `http://db.localhost:${new URL(inject('serverUrl')).port}`,
};
const FILES = {
  'firebase.json': '{"database":{"rules":"database.rules.json"}}',
  'database.rules.json': '{ /* closed */ "rules": { ".read": false } }',
};

function resultOf(printed: string): Json | undefined {
  const json = parseJson(printed);
  return isJsonObject(json) ? json['result'] : undefined;
}

test('[S285] rules:stage and rules:canary keep the published rules, and rules:release publishes the staged ones', async () => {
  const database = await openNamespace();
  const run = async (...args: readonly string[]) =>
    resultOf(await cli.succeed(database, [...args, '--json'], { env: ENV, files: FILES }));
  const id = await run('database:rules:stage');
  await run('database:rules:canary', String(id));
  const before = await ownerRequest('GET', `/.settings/rules.json?ns=${database}&format=strict`);
  expect(before.body).toHaveProperty('rules.indexed');
  expect(await run('database:rules:release', String(id))).toEqual({ stable: id, canary: id });
  expect(await run('database:rules:list')).toMatchObject({ rulesets: [{ id }], labeled: { stable: id } });
  const after = await ownerRequest('GET', `/.settings/rules.json?ns=${database}&format=strict`);
  expect(after.body).toEqual({ rules: { '.read': false } });
});

/** Typical rules: comments, line breaks, validation, wildcards, queries. */
const CHAT_RULES = `{
  // A chat of members.
  "rules": {
    "members": { "$room": { "$user": { ".write": "auth.uid === $user", ".validate": "newData.isBoolean()" } } },
    "messages": {
      "$room": {
        ".read": "root.child('members').child($room).hasChild(auth.uid) && query.limitToLast <= 100",
        "$message": {
          ".write": "!data.exists() && auth != null",
          ".validate": "newData.hasChildren(['text', 'by'])
            && newData.child('by').val() === auth.uid",
          "text": { ".validate": "newData.isString() && newData.val().matches(/^.{1,500}$/)" },
          "by": {},
          "$other": { ".validate": false }
        }
      }
    }
  }
}
`;

/** Runs `firebase deploy` in a folder whose `firebase.json` names the database and these rules. */
function deploy(database: string, rules: string, ...flags: readonly string[]): Promise<Ended> {
  const config = { database: [{ instance: database, rules: 'database.rules.json' }] };
  const files = { 'firebase.json': JSON.stringify(config), 'database.rules.json': rules };
  return cli.run(undefined, ['deploy', '--only', 'database', ...flags], { files });
}

async function rulesTextOf(database: string): Promise<string> {
  const url = `${inject('serverUrl')}/.settings/rules.json?ns=${database}`;
  return (await fetch(url, { headers: { authorization: 'Bearer owner' } })).text();
}

describe.concurrent('firebase deploy', () => {
  test('[S336] deploy publishes rules as they are written', async () => {
    const database = await openNamespace();
    const ended = await deploy(database, CHAT_RULES);
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`${database} released successfully`),
    });
    expect(await rulesTextOf(database)).toBe(CHAT_RULES);
  });

  test('[S336] deploy --dry-run checks rules and changes nothing', async () => {
    const database = await openNamespace();
    const before = await rulesTextOf(database);
    const ended = await deploy(database, CHAT_RULES, '--dry-run');
    expect(ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`rules syntax for database ${database} is valid`),
    });
    expect(await rulesTextOf(database)).toBe(before);
  });

  test('[S337] deploy of wrong rules fails with the line of every error, and changes nothing', async () => {
    const database = await openNamespace();
    const before = await rulesTextOf(database);
    const wrong = CHAT_RULES.replace('!data.', '!dota.').replace('isString()', 'isText()');
    for (const flags of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await deploy(database, wrong, ...flags);
      expect(code).not.toBe(0);
      expect(stdout + stderr).toMatch(
        /Syntax error in database rules:\n\n9:\d+: Unknown variable 'dota'\..*\n12:\d+: No such method\/property 'isText'\..*\n/,
      );
    }
    expect(await rulesTextOf(database)).toBe(before);
  });
});
