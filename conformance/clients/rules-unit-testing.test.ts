import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
} from '@firebase/rules-unit-testing';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readData, writeData } from './owner-request.ts';

const RULES = `{
  "rules": {
    "public": { ".read": true, ".write": false },
    "members": { ".read": "auth != null", ".write": "auth != null" }
  }
}`;

async function openEnvironment(rules = RULES): Promise<RulesTestEnvironment> {
  const { hostname, port } = new URL(inject('serverUrl'));
  const environment = await initializeTestEnvironment({
    projectId: `demo-${crypto.randomUUID()}`,
    database: { host: hostname, port: Number(port), rules },
  });
  onTestFinished(() => environment.cleanup());
  return environment;
}

test('[S274] a signed-in context may what the rules give to users', async () => {
  const environment = await openEnvironment();
  const alice = environment.authenticatedContext('alice', { email: 'alice@example.com' }).database();
  await assertSucceeds(alice.ref('members/alice').set('here'));
  expect((await assertSucceeds(alice.ref('members/alice').get())).val()).toBe('here');
  await assertSucceeds(alice.ref('public').get());
  await assertFails(alice.ref('public').set(1));
  await assertFails(alice.ref('/').once('value'));
});

test('[S274] a context without a user may only what the rules give to everybody', async () => {
  const environment = await openEnvironment();
  const nobody = environment.unauthenticatedContext().database();
  await assertSucceeds(nobody.ref('public').once('value'));
  await assertFails(nobody.ref('members').once('value'));
  await assertFails(nobody.ref('members').get());
  await assertFails(nobody.ref('members').update({ a: 1 }));
});

test('[S275] with rules disabled everything is allowed, and nothing afterwards', async () => {
  const environment = await openEnvironment();
  await environment.withSecurityRulesDisabled(async (context) => {
    await context.database().ref('public/prepared').set(true);
  });
  const nobody = environment.unauthenticatedContext().database();
  expect((await nobody.ref('public').get()).val()).toEqual({ prepared: true });
  await assertFails(nobody.ref('public').remove());
});

test('[S275] clearDatabase empties the database of the project', async () => {
  const environment = await openEnvironment();
  await writeData(environment.projectId, '/', { public: { a: 1 }, members: { b: 2 } });
  await environment.clearDatabase();
  expect(await readData(environment.projectId, '/')).toBeNull();
});

test('[S276] two environments share nothing', async () => {
  const [one, other] = await Promise.all([openEnvironment(), openEnvironment('{"rules":{".write":true}}')]);
  await assertSucceeds(other.unauthenticatedContext().database().ref('public').set(1));
  await assertFails(one.unauthenticatedContext().database().ref('public').set(1));
  expect(await readData(one.projectId, '/')).toBeNull();
});

test('[S276] an environment with mistaken rules is not made, and says why', async () => {
  await expect(openEnvironment('{"rules": {".read": 5}}')).rejects.toThrow(/1:\d+: /);
});
