import {
  assertFails,
  assertSucceeds,
  initializeTestEnvironment,
  type RulesTestEnvironment,
  type TokenOptions,
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

test('[S274] a context with a user may do only what the rules allow users', async () => {
  const environment = await openEnvironment();
  const alice = environment.authenticatedContext('alice', { email: 'alice@example.com' }).database();
  await assertSucceeds(alice.ref('members/alice').set('here'));
  expect((await assertSucceeds(alice.ref('members/alice').get())).val()).toBe('here');
  await assertSucceeds(alice.ref('public').get());
  await assertFails(alice.ref('public').set(1));
  await assertFails(alice.ref('/').once('value'));
});

test('[S274] a context without a user may do only what the rules allow everyone', async () => {
  const environment = await openEnvironment();
  const anonymous = environment.unauthenticatedContext().database();
  await assertSucceeds(anonymous.ref('public').once('value'));
  await assertFails(anonymous.ref('members').once('value'));
  await assertFails(anonymous.ref('members').get());
  await assertFails(anonymous.ref('members').update({ a: 1 }));
});

test('[S275] everything is allowed while rules are disabled, and only then', async () => {
  const environment = await openEnvironment();
  await environment.withSecurityRulesDisabled(async (context) => {
    await context.database().ref('public/prepared').set(true);
  });
  const anonymous = environment.unauthenticatedContext().database();
  expect((await anonymous.ref('public').get()).val()).toEqual({ prepared: true });
  await assertFails(anonymous.ref('public').remove());
});

test('[S275] clearDatabase empties the database of the project', async () => {
  const environment = await openEnvironment();
  await writeData(environment.projectId, '/', { public: { a: 1 }, members: { b: 2 } });
  await environment.clearDatabase();
  expect(await readData(environment.projectId, '/')).toBeNull();
});

test('[S276] two environments share neither rules nor data', async () => {
  const [one, other] = await Promise.all([openEnvironment(), openEnvironment('{"rules":{".write":true}}')]);
  await assertSucceeds(other.unauthenticatedContext().database().ref('public').set(1));
  await assertFails(one.unauthenticatedContext().database().ref('public').set(1));
  expect(await readData(one.projectId, '/')).toBeNull();
});

test('[S276] an environment with invalid rules is not created, and the error gives the reason', async () => {
  await expect(openEnvironment('{"rules": {".read": 5}}')).rejects.toThrow(/1:\d+: /);
});

/** Rules of a chat: members, validated messages that cannot change, notices by claims, and profiles by query. */
const CHAT_RULES = `{
  /* Everything else is closed. */
  "rules": {
    "members": { "$room": { "$user": { ".write": "auth.uid === $user", ".validate": "newData.val() === true" } } },
    "messages": {
      "$room": {
        ".read": "root.child('members').child($room).hasChild(auth.uid) && query.limitToLast <= 100",
        ".indexOn": "at",
        "$message": {
          // Written once, by a member.
          ".write": "!data.exists() && root.child('members/' + $room + '/' + auth.uid).val() === true",
          ".validate": "newData.hasChildren(['text', 'by', 'at'])",
          "text": { ".validate": "newData.isString() && newData.val().matches(/^[^<>]{1,20}$/)" },
          "by": { ".validate": "newData.val() === auth.uid" },
          "at": { ".validate": "newData.val() === now" },
          "$other": { ".validate": false }
        }
      }
    },
    "notices": {
      ".read": "auth.token.email_verified === true && auth.token.email.endsWith('@example.com')",
      ".write": "auth.token.roles.editor === true"
    },
    "profiles": {
      ".read": "query.orderByChild === 'owner' && query.equalTo === auth.uid",
      ".indexOn": ["owner"],
      "$profile": {
        ".write": "(data.exists() ? data : newData).child('owner').val() === auth.uid",
        "age": { ".validate": "newData.isNumber() && newData.val() % 1 === 0 && newData.val() >= 0" }
      }
    }
  }
}`;

test('[S338] a message is written once, by a member, and must be valid', async () => {
  const environment = await openEnvironment(CHAT_RULES);
  const alice = environment.authenticatedContext('alice').database();
  const at = { '.sv': 'timestamp' };
  const message = { text: 'hi', by: 'alice', at };
  await assertFails(alice.ref('messages/hall').push().set(message));
  await assertFails(alice.ref('members/hall/bob').set(true));
  await assertFails(alice.ref('members/hall/alice').set('yes'));
  await assertSucceeds(alice.ref('members/hall/alice').set(true));
  const written = alice.ref('messages/hall/first');
  await assertSucceeds(written.set(message));
  await assertFails(written.set(message));
  await assertFails(written.child('text').set('edited'));
  await assertFails(written.remove());
  for (const wrong of [
    { ...message, text: '' },
    { ...message, text: '<b>' },
    { ...message, text: 'x'.repeat(21) },
    { ...message, by: 'bob' },
    { ...message, at: 1 },
    { ...message, mood: 'good' },
    { text: 'hi', by: 'alice' },
    'hi',
  ])
    await assertFails(alice.ref('messages/hall').push().set(wrong));
  await assertFails(alice.ref('messages/hall').update({ second: message, third: { ...message, by: 'bob' } }));
  expect(Object.keys(Object(await readData(environment.projectId, '/messages/hall')))).toEqual(['first']);
});

test('[S338] members can read only the latest 100 messages of a room, and other clients none', async () => {
  const environment = await openEnvironment(CHAT_RULES);
  await environment.withSecurityRulesDisabled(async (context) => {
    await context
      .database()
      .ref()
      .set({
        members: { hall: { alice: true } },
        messages: { hall: { a: { text: '1', at: 1 }, b: { text: '2', at: 2 } } },
      });
  });
  const room = environment.authenticatedContext('alice').database().ref('messages/hall');
  const latest = await assertSucceeds(room.orderByChild('at').limitToLast(1).once('value'));
  expect(latest.val()).toEqual({ b: { text: '2', at: 2 } });
  await assertFails(room.once('value'));
  await assertFails(room.limitToLast(101).get());
  const others = [environment.authenticatedContext('bob'), environment.unauthenticatedContext()];
  for (const other of others)
    await assertFails(other.database().ref('messages/hall').limitToLast(1).once('value'));
});

test('[S339] the rules see the claims with which a context was created', async () => {
  const environment = await openEnvironment(CHAT_RULES);
  const context = (claims: TokenOptions) => environment.authenticatedContext('alice', claims).database();
  const email = 'alice@example.com';
  await assertSucceeds(context({ email, email_verified: true }).ref('notices').get());
  await assertFails(context({ email, email_verified: false }).ref('notices').get());
  await assertFails(context({ email: 'alice@example.org', email_verified: true }).ref('notices').get());
  await assertFails(context({}).ref('notices').get());
  await assertSucceeds(
    context({ roles: { editor: true } })
      .ref('notices/a')
      .set(1),
  );
  await assertFails(
    context({ roles: { editor: 'true' } })
      .ref('notices/a')
      .set(1),
  );
  await assertFails(environment.unauthenticatedContext().database().ref('notices/a').set(1));
});

test('[S338] a list can be read only by the query that the rules require, and its items can be changed only by their owners', async () => {
  const environment = await openEnvironment(CHAT_RULES);
  const [alice, bob] = [
    environment.authenticatedContext('alice').database(),
    environment.authenticatedContext('bob').database(),
  ];
  await assertSucceeds(alice.ref('profiles/a').set({ owner: 'alice', age: 30 }));
  await assertFails(alice.ref('profiles/b').set({ owner: 'alice', age: 1.5 }));
  await assertFails(bob.ref('profiles/a/owner').set('bob'));
  await assertFails(bob.ref('profiles/a').remove());
  const hers = await assertSucceeds(alice.ref('profiles').orderByChild('owner').equalTo('alice').get());
  expect(hers.val()).toEqual({ a: { owner: 'alice', age: 30 } });
  await assertFails(bob.ref('profiles').orderByChild('owner').equalTo('alice').get());
  await assertFails(alice.ref('profiles').get());
  await assertSucceeds(alice.ref('profiles/a').remove());
});

test('[S276] invalid rules fail with the line and column of every error', async () => {
  const invalid = CHAT_RULES.replace('!data.', '!dota.').replace('isString()', 'isText()');
  await expect(openEnvironment(invalid)).rejects.toThrow(
    /11:\d+: Unknown variable 'dota'\..*\\n13:\d+: No such method\/property 'isText'\./,
  );
});
