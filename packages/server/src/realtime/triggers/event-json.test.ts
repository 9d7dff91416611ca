import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { ADMIN, ANONYMOUS, type Principal } from '../../access/principal.ts';
import { eventJson } from './event.ts';
import { parseTrigger } from './trigger.ts';

const USER: Principal = {
  kind: 'user',
  auth: { uid: 'alice', provider: 'anonymous', token: { sub: 'alice' } },
  expiresAtMs: null,
};
const CHANGE = {
  database: 'demo-db',
  path: parsePath('msgs/m1/text'),
  timeMs: 1_700_000_000_000,
  id: 'demo-db-7-0',
  before: '{"a":1}',
  delta: '{"b":2}',
};
const TIME = '2023-11-14T22:13:20.000Z';

test.each<readonly [Principal, unknown, string]>([
  [ADMIN, { admin: true }, 'ADMIN'],
  [ANONYMOUS, { admin: false }, 'UNAUTHENTICATED'],
  [USER, { admin: false, variable: USER.kind === 'user' && USER.auth }, 'USER'],
])('[H90] the event of a write by %j for a function of the first generation', (identity, auth, authType) => {
  const trigger = parseTrigger({
    name: 'projects/demo/locations/_/functions/f',
    path: '/msgs/{id}/{field}',
    event: 'providers/google.firebase.database/eventTypes/ref.update',
  });
  expect(JSON.parse(eventJson({ ...CHANGE, trigger, identity }))).toEqual({
    data: { data: { a: 1 }, delta: { b: 2 } },
    context: {
      eventId: 'demo-db-7-0',
      timestamp: TIME,
      eventType: 'providers/google.firebase.database/eventTypes/ref.update',
      resource: 'projects/_/instances/demo-db/refs/msgs/m1/text',
      params: { id: 'm1', field: 'text' },
      auth,
      authType,
      domain: 'firebaseio.com',
    },
  });
});

test.each<readonly [Principal, unknown]>([
  [ADMIN, { authtype: 'admin' }],
  [ANONYMOUS, { authtype: 'unauthenticated' }],
  [USER, { authtype: 'app_user', authid: 'alice' }],
])('[H90] the event of a write by %j for a function of the second generation', (identity, auth) => {
  const trigger = parseTrigger({
    name: 'projects/demo/locations/us-central1/triggers/f',
    path: 'msgs/{id}/{field}',
    event: 'google.firebase.database.ref.v1.updated',
    namespacePattern: '*',
  });
  expect(JSON.parse(eventJson({ ...CHANGE, trigger, identity }))).toEqual({
    specversion: '1.0',
    id: 'demo-db-7-0',
    type: 'google.firebase.database.ref.v1.updated',
    source: '//firebasedatabase.googleapis.com/projects/_/locations/us-central1/instances/demo-db',
    subject: 'refs/msgs/m1/text',
    time: TIME,
    datacontenttype: 'application/json',
    location: 'us-central1',
    instance: 'demo-db',
    ref: 'msgs/m1/text',
    firebasedatabasehost: 'firebaseio.com',
    ...(auth as object),
    data: {
      '@type': 'type.googleapis.com/google.events.firebase.database.v1.ReferenceEventData',
      data: { a: 1 },
      delta: { b: 2 },
    },
  });
});
