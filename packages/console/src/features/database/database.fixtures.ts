import type { Account } from '../../api/accounts.ts';
import type { ChildPage } from '../../api/data.ts';
import type { NodeSize, SearchLine } from '../../api/data-nodes.ts';
import type { ImportState } from '../../api/data-transfer.ts';
import {
  eventStream,
  type FakeResponses,
  json,
  jsonLines,
  nodeText,
  requestError,
} from '../../api/fake-server.fixture.ts';
import type { RulesAnswer } from '../../api/rules.ts';
import type { ViewFixture } from '../../app/view-test-bed.fixture.tsx';
import type { StagedList } from './staging/store.ts';

export const DATABASE = 'demo-default-rtdb';

const AT = `/api/databases/${DATABASE}`;

const ROOT: ChildPage = {
  node: { kind: 'object', childCount: 5, isCountPartial: false, priority: null },
  children: [
    { key: 'isOpen', kind: 'boolean', value: true, priority: null },
    {
      key: 'messages',
      kind: 'object',
      childCount: 1_000,
      isCountPartial: true,
      priority: null,
      preview: null,
    },
    { key: 'motd', kind: 'string', value: 'Welcome to the demo', priority: 'high' },
    {
      key: 'rooms',
      kind: 'object',
      childCount: 2,
      isCountPartial: false,
      priority: null,
      preview: '{"garden":{"seats":4,"topic":"plants"},"lobby":{"seats":12,"topic":"everything"}}',
    },
    { key: 'visits', kind: 'number', value: 4_815, priority: null },
  ],
  previous: null,
  next: null,
};

const ROOMS: ChildPage = {
  node: { kind: 'object', childCount: 2, isCountPartial: false, priority: null },
  children: [
    {
      key: 'garden',
      kind: 'object',
      childCount: 2,
      isCountPartial: false,
      priority: null,
      preview: '{"seats":4,"topic":"plants"}',
    },
    {
      key: 'lobby',
      kind: 'object',
      childCount: 2,
      isCountPartial: false,
      priority: null,
      preview: '{"seats":12,"topic":"everything"}',
    },
  ],
  previous: null,
  next: null,
};

const NOTHING: ChildPage = { node: null, children: [], previous: null, next: null };

const MOTD: ChildPage = {
  node: { kind: 'string', value: 'Welcome to the demo', priority: null },
  children: [],
  previous: null,
  next: null,
};

/** Two rooms, one of which the impersonated principal may read. */
const PARTLY_DENIED_ROOMS: ChildPage = {
  node: { kind: 'object', childCount: 2, isCountPartial: false, priority: null, isDenied: true },
  children: [
    { key: 'garden', kind: 'object', childCount: 0, isCountPartial: false, priority: null, isDenied: true },
    {
      key: 'lobby',
      kind: 'object',
      childCount: 2,
      isCountPartial: false,
      priority: null,
      preview: '{"seats":12,"topic":"everything"}',
    },
  ],
  previous: null,
  next: null,
};

const ANN: Account = {
  localId: 'ann',
  email: 'ann@example.com',
  createdAt: '1767261600000',
  customAttributes: '{"team":"blue"}',
};

/** The rules deny reading `/rooms`, because their condition requires another value of a claim. */
const SOURCE = '{"rules":{"rooms":{".read":"auth.token.team === \'red\'"}}}';
const CONDITION = "auth.token.team === 'red'";
const START = SOURCE.indexOf(CONDITION);

const DENIED: RulesAnswer = {
  isAllowed: false,
  deniedPath: '/rooms',
  rules: [
    {
      kind: 'read',
      location: '/rooms',
      place: '/rooms',
      holds: false,
      step: {
        span: { start: START, end: START + CONDITION.length },
        value: { kind: 'scalar', value: false },
        steps: [
          {
            span: { start: START, end: START + 'auth.token.team'.length },
            value: { kind: 'scalar', value: 'blue' },
            steps: [],
          },
        ],
      },
    },
  ],
  deciding: null,
  source: SOURCE,
};

const HITS: readonly SearchLine[] = [
  {
    kind: 'hit',
    path: '/rooms/lobby/topic',
    matched: 'value',
    node: { kind: 'string', value: 'everything', priority: null },
  },
  { kind: 'progress', entries: 8, bytes: 220, hits: 1 },
  { kind: 'done', entries: 11, bytes: 280, hits: 1, isComplete: true },
];

const SIZE: readonly (NodeSize & { readonly kind: 'done' })[] = [{ kind: 'done', entries: 6, bytes: 92 }];

/** Staged edits: one changes a value, and one adds a node. */
export const STAGED: StagedList = [
  {
    path: '/motd',
    before: { text: '"Welcome to the demo"', hash: 'hash-motd' },
    text: '"Closed today"',
    group: 1,
  },
  { path: '/rooms/attic', before: { text: 'null', hash: 'null_etag' }, text: '{"seats":2}', group: 2 },
];

/** Returns the responses for the children of a node: the page, its stream and its count. */
function childrenOf(path: string, page: ChildPage): FakeResponses {
  const query = new URLSearchParams({ path });
  return {
    [`GET ${AT}/children?${query}`]: json(page),
    [`EVENTS ${AT}/children?${query}`]: eventStream([['page', page]]),
    [`GET ${AT}/count?${query}`]: jsonLines([{ kind: 'done', count: page.children.length }]),
  };
}

/** The requests whose fake responses determine the content of the views. */
export const ROUTES = {
  databases: 'GET /api/projects/demo/databases',
  root: `GET ${AT}/children?path=%2F`,
  rooms: `GET ${AT}/children?path=%2Frooms`,
  motd: `GET ${AT}/children?path=%2Fmotd`,
  size: `GET ${AT}/size?path=%2Frooms`,
  importedSize: `GET ${AT}/size?path=%2F`,
  latestChange: `GET ${AT}/changes?limit=1`,
  json: 'GET /rooms.json?format=export',
  search: `GET ${AT}/search?text=every`,
  changes: `POST ${AT}/changes`,
  account: 'POST /identitytoolkit.googleapis.com/v1/projects/demo/accounts:lookup',
  explain: `POST ${AT}/rules/explain`,
  exported: 'GET /.json?format=export',
} as const;

/** The list of changes before the first one. */
export const NO_CHANGES = {
  changes: [],
  next: null,
  limits: { bytes: 2 ** 32, paths: 10_000, ageMs: 7 * 86_400_000 },
};

const ROOMS_JSON = JSON.stringify({
  garden: { seats: 4, topic: 'plants' },
  lobby: { seats: 12, topic: 'everything' },
});

export const QUERIED = {
  garden: { seats: 4, topic: 'plants' },
  lobby: { seats: 12, topic: 'everything' },
};

const IMPERSONATED: FakeResponses = {
  [ROUTES.account]: json({ users: [ANN] }),
  ...childrenOf('/rooms', PARTLY_DENIED_ROOMS),
  [ROUTES.explain]: json(DENIED),
};

const AS_ANN = `data/${DATABASE}/rooms?as=account%3Aann`;

/** Views of data, by what they show. */
export const DATABASE_FIXTURES = {
  databases: {
    address: 'data',
    responses: {
      [ROUTES.databases]: json({ databases: [{ name: DATABASE }, { name: 'demo-archive' }], next: null }),
    },
    main: ROUTES.databases,
  },
  noDatabases: {
    address: 'data',
    responses: { [ROUTES.databases]: json({ databases: [], next: null }) },
    main: ROUTES.databases,
  },
  tree: { address: `data/${DATABASE}`, responses: childrenOf('/', ROOT), main: ROUTES.root },
  openTree: {
    address: `data/${DATABASE}?open=rooms`,
    responses: { ...childrenOf('/rooms', ROOMS), ...childrenOf('/', ROOT) },
    main: ROUTES.root,
  },
  emptyDatabase: { address: `data/${DATABASE}`, responses: childrenOf('/', NOTHING), main: ROUTES.root },
  value: { address: `data/${DATABASE}/motd`, responses: childrenOf('/motd', MOTD), main: ROUTES.motd },
  table: {
    address: `data/${DATABASE}/rooms?view=table`,
    responses: childrenOf('/rooms', ROOMS),
    main: ROUTES.rooms,
  },
  noTable: {
    address: `data/${DATABASE}/motd?view=table`,
    responses: childrenOf('/motd', MOTD),
    main: ROUTES.motd,
  },
  json: {
    address: `data/${DATABASE}/rooms?view=json`,
    responses: { [ROUTES.size]: jsonLines(SIZE), [ROUTES.json]: nodeText(ROOMS_JSON, 'hash-rooms') },
    listens: { '/rooms': { kind: 'value', value: QUERIED } },
    main: ROUTES.json,
  },
  largeJson: {
    address: `data/${DATABASE}/rooms?view=json`,
    responses: { [ROUTES.size]: jsonLines([{ kind: 'done', entries: 100_000, bytes: 2 ** 21 }]) },
    main: ROUTES.size,
  },
  query: { address: `data/${DATABASE}/rooms?order=key&limit=10`, responses: {}, main: '' },
  search: {
    address: `data/${DATABASE}?q=every`,
    responses: { [ROUTES.search]: jsonLines(HITS) },
    main: ROUTES.search,
  },
  noHits: {
    address: `data/${DATABASE}?q=every`,
    responses: {
      [ROUTES.search]: jsonLines<SearchLine>([
        { kind: 'done', entries: 11, bytes: 280, hits: 0, isComplete: true },
      ]),
    },
    main: ROUTES.search,
  },
  review: {
    address: `data/${DATABASE}?review=true`,
    responses: { ...childrenOf('/', ROOT), [ROUTES.changes]: json({}) },
    main: ROUTES.changes,
  },
  staleReview: {
    address: `data/${DATABASE}?review=true`,
    responses: {
      ...childrenOf('/', ROOT),
      [ROUTES.changes]: requestError(412, 'write/stale', 'The data has changed.', {
        stale: { '/motd': 'hash-other' },
      }),
      [`GET ${AT}/size?path=%2Fmotd`]: jsonLines([{ kind: 'done', entries: 1, bytes: 10 }]),
      'GET /motd.json?format=export': nodeText('"Open late"', 'hash-other'),
    },
    main: ROUTES.changes,
  },
  impersonated: { address: AS_ANN, responses: IMPERSONATED, main: ROUTES.account },
  impersonatedTree: { address: AS_ANN, responses: IMPERSONATED, main: ROUTES.rooms },
  explained: { address: AS_ANN, responses: IMPERSONATED, main: ROUTES.explain },
  absentAccount: {
    address: AS_ANN,
    responses: { [ROUTES.account]: json({}) },
    main: ROUTES.account,
  },
} as const satisfies Readonly<Record<string, ViewFixture>>;

/** Responses to the only chunk of an import at the root, by their status. */
export const IMPORTS: Readonly<Record<ImportState['status'], ImportState>> = {
  open: { offset: 12, status: 'open' },
  done: { offset: 12, status: 'done' },
  failed: { offset: 0, status: 'failed', error: 'The file is not valid JSON.' },
};
