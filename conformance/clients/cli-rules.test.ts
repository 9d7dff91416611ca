import { expect, inject, test } from 'vitest';
import { isJsonObject, type Json, parseJson } from '../drivers/json.ts';
import { openNamespace } from '../drivers/namespace.ts';
import { useFirebaseCli } from './firebase-cli.ts';
import { ownerRequest } from './owner-request.ts';

const cli = useFirebaseCli();

/** The commands for rulesets are an experiment of the command line, and add the database to a host of their own. */
const ENV = {
  FIREBASE_CLI_EXPERIMENTS: 'rtdbrules',
  FIREBASE_REALTIME_URL: `http://db.localhost:${new URL(inject('serverUrl')).port}`,
};
const FILES = {
  'firebase.json': '{"database":{"rules":"database.rules.json"}}',
  'database.rules.json': '{ /* nobody */ "rules": { ".read": false } }',
};

function resultOf(printed: string): Json | undefined {
  const json = parseJson(printed);
  return isJsonObject(json) ? json['result'] : undefined;
}

test('[S285] rules:stage, :canary and :release put staged rules in force', async () => {
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
