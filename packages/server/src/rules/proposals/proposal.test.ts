import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import { isReadAllowed, isWriteAllowed } from '@hearth/core/rules/evaluate/decide.ts';
import { readOf, writeOf } from '@hearth/core/rules/evaluate/operations.fixture.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { expect, test } from 'vitest';
import { type DraftedProposal, proposeRules } from './proposal.ts';

const PUSHED = '-NxYzAbCdEfGhIjKlMn0';
const DATA = JSON.stringify({
  users: { ann: { name: 'Ann', role: 'user' } },
  rooms: { hall: { owner: 'ann', members: { ann: true, bob: true }, messages: { m1: { author: 'bob' } } } },
  docs: { d1: { owner: 'ann', text: 'x' } },
  chats: { c1: { ann: true, bob: true } },
  polls: { p1: { ann: 'yes' }, p2: { bob: 'no' } },
  clubs: { chess: { banned: { ann: true }, text: 'x' } },
  teams: { red: { members: { ann: 'viewer', bob: 'editor' }, admins: { bob: true }, plan: 'x' } },
});

interface Attempt {
  readonly read?: string;
  readonly query?: object;
  readonly write?: Readonly<Record<string, string>>;
  readonly isValueKnown?: boolean;
}

/** Proposes rules for an attempt of Ann. Expects that they allow the attempt to her and to no other client. */
function propose(rules: object, { read, query, write, isValueKnown = true }: Attempt): DraftedProposal {
  const base = parseRules(JSON.stringify({ rules }));
  const tree = new NodeTree(parseNodeJson(DATA));
  const operationOf = (auth: { readonly uid: string } | null) =>
    read === undefined
      ? ({ kind: 'write', write: writeOf(write ?? {}, { auth, data: DATA }) } as const)
      : ({ kind: 'read', read: readOf(read, { auth, data: DATA }, query) } as const);
  const steps = proposeRules(base, () => ({
    operation: operationOf({ uid: 'ann' }),
    uid: 'ann',
    tree,
    isValueKnown,
  }));
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  const proposal = step.value;
  if (proposal.kind === 'draft' && proposal.changes.every(({ kind }) => kind !== 'validate')) {
    for (const other of [{ uid: 'eve' }, null]) {
      const tried = operationOf(other);
      const isAllowed =
        tried.kind === 'read'
          ? isReadAllowed(proposal.rules, tried.read)
          : isWriteAllowed(proposal.rules, tried.write);
      expect(isAllowed).toBe(false);
    }
  }
  return proposal;
}

const MEMBER = "child('members').child(auth.uid).val() === true";

test.each<readonly [string, object, Attempt, string, string, string]>([
  [
    'own path',
    { users: { $user: { '.read': false } } },
    { read: '/users/ann' },
    'read',
    '/users/$user',
    'auth.uid === $user',
  ],
  [
    'own path without rules',
    {},
    { read: '/users/ann/name' },
    'read',
    '/users/$uid/name',
    'auth.uid === $uid',
  ],
  [
    'own path next to a rule of its own',
    { users: { $user: { '.read': 'auth.token.admin === true' } } },
    { read: '/users/ann' },
    'read',
    '/users/$user',
    'auth.uid === $user',
  ],
  [
    'a field with the user ID',
    { docs: { $doc: {} } },
    { read: '/docs/d1' },
    'read',
    '/docs/$doc',
    "data.child('owner').val() === auth.uid",
  ],
  [
    'a field of the record above',
    { docs: { $doc: {} } },
    { read: '/docs/d1/text' },
    'read',
    '/docs/$doc/text',
    "data.parent().child('owner').val() === auth.uid",
  ],
  [
    'a list of users with roles',
    { teams: { $team: {} } },
    { read: '/teams/red/plan' },
    'read',
    '/teams/$team/plan',
    "data.parent().child('members').child(auth.uid).val() === 'viewer'",
  ],
  [
    'a query for own records',
    { docs: { '.indexOn': 'owner' } },
    { read: '/docs', query: { i: 'owner', sp: 'ann', ep: 'ann' } },
    'read',
    '/docs',
    "query.orderByChild === 'owner' && query.equalTo === auth.uid",
  ],
  [
    'an own record, whose owner must stay',
    { docs: { $doc: {} } },
    { write: { '/docs/d1': '{"owner":"ann","text":"y"}' } },
    'write',
    '/docs/$doc',
    "data.child('owner').val() === auth.uid && newData.child('owner').val() === auth.uid",
  ],
  [
    'the deletion of an own record',
    { docs: { $doc: {} } },
    { write: { '/docs/d1': 'null' } },
    'write',
    '/docs/$doc',
    "data.child('owner').val() === auth.uid && !newData.exists()",
  ],
  [
    'a new record in a room of which the user is a member',
    { rooms: { $room: { messages: {} } } },
    { write: { [`/rooms/hall/messages/${PUSHED}`]: '{"author":"ann","text":"hi"}' } },
    'write',
    '/rooms/$room/messages/$id',
    `!data.exists() && newData.child('author').val() === auth.uid && data.parent().parent().${MEMBER}`,
  ],
])(
  '[R401] for %s, the server proposes a change of the rules',
  (_what, rules, attempt, kind, location, condition) => {
    expect(propose(rules, attempt)).toMatchObject({
      kind: 'draft',
      changes: [{ kind, location, condition }],
    });
  },
);

test('[R401] a field that the rules do not list is added with its type', () => {
  const rules = {
    users: {
      $uid: { '.write': 'auth.uid === $uid', name: { '.validate': true }, $other: { '.validate': false } },
    },
  };
  const proposal = propose(rules, { write: { '/users/ann/nickname': '"A"', '/users/ann/age': '3' } });
  expect(proposal).toMatchObject({
    changes: [
      { kind: 'validate', location: '/users/$uid/nickname', condition: 'newData.isString()' },
      { kind: 'validate', location: '/users/$uid/age', condition: 'newData.isNumber()' },
    ],
  });
});

test('[R401] an update of several paths gets a change for each', () => {
  const proposal = propose(
    { docs: { $doc: {} } },
    { write: { '/users/ann/name': '"B"', '/docs/d1/text': '"y"' } },
  );
  expect(proposal).toMatchObject({
    changes: [{ location: '/users/$uid/name' }, { location: '/docs/$doc/text' }],
  });
});

const ROLES = { '.write': "root.child('users/' + auth.uid + '/role').val() === 'admin'" };

test.each<readonly [string, object, Attempt, string]>([
  ['the rules allow it by now', { '.read': true }, { read: '/users/ann' }, 'allowed'],
  ['nothing names the user', {}, { read: '/news' }, 'unlinked'],
  [
    'parts of the list can be read',
    { docs: { $doc: { '.read': 'auth != null' } } },
    { read: '/docs' },
    'list',
  ],
  [
    'the value is invalid',
    { users: { $uid: { '.write': true, name: { '.validate': 'newData.val().length < 3' } } } },
    { write: { '/users/ann/name': '"Annabel"' } },
    'invalid',
  ],
  ['the path decides on rights', { docs: ROLES }, { write: { '/users/ann/role': '"admin"' } }, 'privilege'],
  [
    'the path holds what decides on rights',
    { docs: ROLES },
    { write: { '/users/ann': '{"role":"admin"}' } },
    'privilege',
  ],
  [
    'the new field decides on rights',
    {
      users: { $uid: { '.write': 'auth.uid === $uid', $other: { '.validate': false } } },
      docs: { '.read': "root.child('users').child(auth.uid).child('isAdmin').val() === true" },
    },
    { write: { '/users/ann/isAdmin': 'true' } },
    'privilege',
  ],
  [
    'the value is a list of users that decides on rights',
    { teams: { $team: { plan: { '.write': "data.parent().child('admins').child(auth.uid).exists()" } } } },
    { write: { '/teams/red/admins': '{"ann":true,"bob":true}' } },
    'privilege',
  ],
  [
    'only one record of the list names the user',
    { chats: { $chat: { '.read': 'data.child(auth.uid).exists()' } } },
    { read: '/chats' },
    'list',
  ],
  ['no rules are below the list', {}, { read: '/chats' }, 'unlinked'],
  [
    'only another record names the user',
    { polls: { $poll: {} } },
    { write: { '/polls/p2': '1' } },
    'unlinked',
  ],
  ['a list of banned users names the user', { clubs: { $club: {} } }, { read: '/clubs/chess' }, 'unlinked'],
  [
    'the value is not known',
    { posts: { $id: { '.write': "newData.child('author').val() === auth.uid" } } },
    { write: { '/posts/p1': 'true' }, isValueKnown: false },
    'value-unknown',
  ],
])('[R402] there is no proposal if %s', (_why, rules, attempt, reason) => {
  expect(propose(rules, attempt)).toEqual({ kind: 'none', reason });
});

test('[R402] a proposal for a path may depend on data next to the path that decide on rights', () => {
  expect(propose({ docs: ROLES }, { write: { '/users/ann/name': '"B"' } })).toMatchObject({
    changes: [{ location: '/users/$uid/name' }],
  });
});

test('[R402] without the written value, only rules that do not depend on it are proposed', () => {
  const attempt = { write: { '/users/ann/name': 'true' }, isValueKnown: false };
  const rules = { users: { $uid: { name: { '.validate': 'newData.isString()' } } } };
  expect(propose(rules, attempt)).toMatchObject({ changes: [{ condition: 'auth.uid === $uid' }] });
});
