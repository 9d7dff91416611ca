import { RequestError } from '@hearth/core/error/request-error.ts';
import { expect, test } from 'vitest';
import { parseTrigger } from './trigger.ts';

const FIRST = {
  name: 'projects/demo/locations/_/functions/us-central1-onMessage-0',
  path: '/msgs/{id}/text',
  event: 'providers/google.firebase.database/eventTypes/ref.write',
  topic: 'projects/demo/topics/us-central1-onMessage-0',
};
const SECOND = {
  name: 'projects/demo/locations/us-central1/triggers/us-central1-onWritten-0',
  path: 'a/{b=*}/*',
  event: 'google.firebase.database.ref.v1.created',
  topic: 'projects/demo/topics/us-central1-onWritten-0',
  namespacePattern: 'demo-*',
};

test('[H87] registrations of both generations are parsed', () => {
  expect(parseTrigger(FIRST)).toEqual({
    name: FIRST.name,
    project: 'demo',
    key: 'us-central1-onMessage-0',
    generation: 1,
    pattern: [
      { kind: 'key', key: 'msgs' },
      { kind: 'any', name: 'id' },
      { kind: 'key', key: 'text' },
    ],
    event: 'written',
    eventType: FIRST.event,
    instances: null,
  });
  expect(parseTrigger(SECOND)).toMatchObject({
    project: 'demo',
    key: 'us-central1-onWritten-0',
    generation: 2,
    pattern: [
      { kind: 'key', key: 'a' },
      { kind: 'any', name: 'b' },
      { kind: 'any', name: '' },
    ],
    event: 'created',
  });
});

test.each([
  ['demo-*', 'demo-default-rtdb', true],
  ['demo-*', 'demo', false],
  ['*', 'anything', true],
  ['{instance}', 'anything', true],
  ['Demo', 'demo', true],
  ['demo', 'demo2', false],
  ['a*b*c', 'a-b-c', true],
  ['a*b*c', 'a-c-b', false],
])('[H87] the pattern %s matches the database %s: %s', (namespacePattern, database, matches) => {
  const { instances } = parseTrigger({ ...SECOND, namespacePattern });
  expect(instances?.test(database)).toBe(matches);
});

test.each<readonly [unknown, RegExp]>([
  [null, /Missing "name"/],
  ['trigger', /Missing "name"/],
  [{ ...FIRST, name: 1 }, /Missing "name"/],
  [{ ...FIRST, name: 'onMessage' }, /Invalid trigger name/],
  [{ ...FIRST, name: 'projects/p/locations/_/functions/a?b' }, /Invalid trigger name/],
  [{ ...FIRST, event: 'ref.write' }, /"ref.write" is not an event/],
  [{ ...FIRST, path: undefined }, /Missing "path"/],
  [{ ...FIRST, path: '/a.b' }, /Keys must be/],
  [{ ...FIRST, path: '/a/**' }, /not "\*\*"/],
  [{ ...FIRST, path: '/a/b{c}' }, /not "b\{c\}"/],
  [{ ...FIRST, path: '/a'.repeat(33) }, /32 levels/],
  [{ ...SECOND, namespacePattern: '(a+)+' }, /not a valid pattern/],
  [{ ...SECOND, namespacePattern: '*a*a*a*' }, /not a valid pattern/],
])('[H88] the registration %j is rejected', (json, problem) => {
  expect(() => parseTrigger(json)).toThrow(RequestError);
  expect(() => parseTrigger(json)).toThrow(problem);
});
