import type { RulesVersion, WholeRulesVersion } from '@hearth/core/api/rules-version.ts';
import type { DenialPage, DenialSettings, Proposal, WholeDenial } from '../../api/denials.ts';
import { eventStream, type FakeResponses, json } from '../../api/fake-server.fixture.ts';
import type { RecordingSettings, ReplayReport, RulesAnswer, Step } from '../../api/rules.ts';
import type { ViewFixture } from '../../app/view-test-bed.fixture.tsx';

export const DATABASE = 'demo-default-rtdb';

const SOURCE = `{
  "rules": {
    "rooms": {
      ".read": true,
      "$room": {
        ".write": "auth.uid === 'alice'"
      }
    }
  }
}
`;

/** The source of version 11. */
const FORMER_SOURCE = SOURCE.replace("auth.uid === 'alice'", 'auth !== null');

const CONDITION = "auth.uid === 'alice'";

/** Returns the evaluation of `CONDITION`, which is false for Bob. `start` is the offset of the condition in the source text. */
function stepAt(start: number): Step {
  return {
    span: { start, end: start + CONDITION.length },
    value: { kind: 'scalar', value: false },
    steps: [
      {
        span: { start, end: start + 'auth.uid'.length },
        value: { kind: 'scalar', value: 'bob' },
        steps: [],
      },
    ],
  };
}

const VERSION: RulesVersion = {
  id: 12,
  timeMs: 1_777_621_920_000,
  author: { kind: 'user', uid: 'alice' },
  bytes: 132,
  message: 'Only Alice writes rooms',
  rolledBackTo: null,
};

const FORMER_VERSION: RulesVersion = {
  id: 11,
  timeMs: 1_777_000_000_000,
  author: { kind: 'file', name: 'database.rules.json' },
  bytes: 125,
  message: null,
  rolledBackTo: 9,
};

const WHOLE: WholeRulesVersion = {
  ...VERSION,
  source: SOURCE,
  difference: `--- 11
+++ 12
@@ -3,7 +3,7 @@
     "rooms": {
       ".read": true,
       "$room": {
-        ".write": "auth !== null"
+        ".write": "auth.uid === 'alice'"
       }
     }
   }
`,
};

const FORMER_WHOLE: WholeRulesVersion = { ...FORMER_VERSION, source: FORMER_SOURCE, difference: null };

/** Rules as a member edits them, before they are published. */
export const DRAFT = SOURCE.replace("'alice'", "'bob'");

const DENIALS: DenialPage = {
  denials: [
    {
      id: 42,
      timeMs: 1_777_708_320_000,
      operation: 'put',
      paths: ['/rooms/lobby'],
      pathCount: 1,
      identity: { kind: 'user', auth: { uid: 'bob', provider: 'password', token: {} } },
      query: null,
      rulesHash: '5f1d',
      cut: 'nothing',
      rule: { kind: 'write', location: '/rooms/$room', text: CONDITION },
      reason: {
        condition: CONDITION,
        outcome: 'false',
        error: null,
        values: [{ text: 'auth.uid', value: { kind: 'scalar', value: 'bob' } }],
      },
    },
    {
      id: 41,
      timeMs: 1_777_708_300_000,
      operation: 'listen',
      paths: ['/private'],
      pathCount: 1,
      identity: { kind: 'guest' },
      query: null,
      rulesHash: '5f1d',
      cut: 'nothing',
      rule: null,
      reason: null,
    },
  ],
  sampledOut: 3,
};

const DENIAL: WholeDenial = {
  id: 42,
  timeMs: 1_777_708_320_000,
  operation: 'put',
  paths: ['/rooms/lobby'],
  pathCount: 1,
  identity: { kind: 'user', auth: { uid: 'bob', provider: 'password', token: {} } },
  query: null,
  rulesHash: '5f1d',
  cut: 'nothing',
  rules: [
    {
      kind: 'write',
      location: '/rooms/$room',
      place: '/rooms/lobby',
      holds: false,
      text: CONDITION,
      documentSpan: { start: SOURCE.indexOf(CONDITION), end: SOURCE.indexOf(CONDITION) + CONDITION.length },
      step: stepAt(0),
    },
  ],
  deciding: 0,
  values: {
    writes: [{ kind: 'node', path: '/rooms/lobby', json: '{"topic":"everything"}' }],
    reads: [],
  },
};

const DENIAL_SETTINGS: DenialSettings = { isOn: true, keep: 10_000, days: 30, keepValues: false };

const ANSWER: RulesAnswer = {
  isAllowed: false,
  deniedPath: '/rooms/lobby',
  rules: [
    {
      kind: 'write',
      location: '/rooms/$room',
      place: '/rooms/lobby',
      holds: false,
      step: stepAt(SOURCE.indexOf(CONDITION)),
    },
  ],
  deciding: {
    kind: 'write',
    location: '/rooms/$room',
    place: '/rooms/lobby',
    holds: false,
    step: stepAt(SOURCE.indexOf(CONDITION)),
  },
  source: SOURCE,
};

const REPLAY: ReplayReport = {
  operations: 120,
  notRecorded: 2,
  sampledOut: 0,
  allowedToDenied: [
    {
      rule: { kind: 'write', location: '/rooms/$room', text: CONDITION },
      count: 7,
      examples: [{ as: { uid: 'alice' }, write: '/rooms/lobby', value: null, expect: 'allow' }],
    },
  ],
  deniedToAllowed: [],
};

const PROPOSAL: Proposal = {
  kind: 'draft',
  source: DRAFT,
  changes: [{ kind: 'write', location: '/rooms/$room', condition: "data.child('owner').val() === auth.uid" }],
  isValueKnown: true,
  effect: { report: REPLAY, ofUser: 2, ofOthers: 5 },
};

/** A file of test cases: the first passes, the second fails. */
export const CASES = JSON.stringify({
  data: {},
  cases: [
    { name: 'anyone reads rooms', as: null, read: '/rooms', expect: 'allow' },
    { name: 'Bob writes rooms', as: { uid: 'bob' }, write: '/rooms/lobby', value: 1, expect: 'allow' },
  ],
});

const AT = `/api/databases/${DATABASE}`;

/** The requests whose fake responses determine the content of the views. */
export const ROUTES = {
  databases: 'GET /api/projects/demo/databases',
  accounts: 'GET /api/projects/demo/accounts?by=any&prefix=ali',
  latest: `GET ${AT}/rules/versions?limit=1`,
  versions: `GET ${AT}/rules/versions?limit=100`,
  version: `GET ${AT}/rules/versions/12`,
  formerVersion: `GET ${AT}/rules/versions/11`,
  rollback: `POST ${AT}/rules/rollback`,
  denials: `GET ${AT}/denials`,
  denialStream: `EVENTS ${AT}/denials`,
  denial: `GET ${AT}/denials/42`,
  proposal: `POST ${AT}/denials/42/proposal`,
  denialSettings: `GET ${AT}/denials/settings`,
  changedSettings: `PUT ${AT}/denials/settings`,
  explain: `POST ${AT}/rules/explain`,
  recording: `GET ${AT}/rules/recording`,
  replay: `POST ${AT}/rules/replay`,
  publish: `POST ${AT}/rules/publish`,
} as const;

const CURRENT: FakeResponses = {
  [ROUTES.latest]: json({ versions: [VERSION] }),
  [ROUTES.version]: json(WHOLE),
};

const VERSIONS: FakeResponses = {
  [ROUTES.versions]: json({ versions: [VERSION, FORMER_VERSION] }),
  [ROUTES.version]: json(WHOLE),
  [ROUTES.formerVersion]: json(FORMER_WHOLE),
  [ROUTES.rollback]: json({ id: 13 }),
};

const LOGGED: FakeResponses = {
  [ROUTES.denials]: json(DENIALS),
  [ROUTES.denialStream]: eventStream([['page', DENIALS]]),
  [ROUTES.denialSettings]: json(DENIAL_SETTINGS),
  [ROUTES.changedSettings]: json(DENIAL_SETTINGS),
  [ROUTES.denial]: json(DENIAL),
};

const PUBLISHING: FakeResponses = {
  ...CURRENT,
  [ROUTES.recording]: json<RecordingSettings>({ isOn: true, share: 1 }),
  [ROUTES.replay]: json(REPLAY),
  [ROUTES.publish]: json({ id: 13 }),
};

const RULES = `rules/${DATABASE}`;
const SIMULATED = new URLSearchParams({
  op: 'write',
  path: '/rooms/lobby',
  as: '{"uid":"bob"}',
  value: '1',
});

/** Fixtures of the rules views, by the name of the view or its state. */
export const RULES_FIXTURES = {
  databases: {
    address: 'rules',
    responses: {
      [ROUTES.databases]: json({ databases: [{ name: DATABASE }, { name: 'demo-archive' }], next: null }),
    },
    main: ROUTES.databases,
  },
  noDatabases: {
    address: 'rules',
    responses: { [ROUTES.databases]: json({ databases: [], next: null }) },
    main: ROUTES.databases,
  },
  editor: { address: RULES, responses: CURRENT, main: ROUTES.version },
  initialEditor: {
    address: RULES,
    responses: {
      [ROUTES.latest]: json({ versions: [] }),
      'GET /.settings/rules.json': json({ rules: { '.read': false, '.write': false } }),
    },
    main: ROUTES.latest,
  },
  versions: { address: `${RULES}/versions`, responses: VERSIONS, main: ROUTES.versions },
  version: { address: `${RULES}/versions/11`, responses: VERSIONS, main: ROUTES.formerVersion },
  difference: {
    address: `${RULES}/versions/11?show=in-force`,
    responses: VERSIONS,
    main: ROUTES.version,
  },
  noVersions: {
    address: `${RULES}/versions`,
    responses: { [ROUTES.versions]: json({ versions: [] }) },
    main: ROUTES.versions,
  },
  unknownVersion: { address: `${RULES}/versions/7`, responses: VERSIONS, main: ROUTES.versions },
  denials: { address: `${RULES}/denials`, responses: LOGGED, main: ROUTES.denials },
  denial: { address: `${RULES}/denials/42`, responses: LOGGED, main: ROUTES.denial },
  proposal: {
    address: `${RULES}/denials/42`,
    responses: { ...LOGGED, ...CURRENT, [ROUTES.proposal]: json(PROPOSAL) },
    main: ROUTES.proposal,
  },
  noProposal: {
    address: `${RULES}/denials/42`,
    responses: {
      ...LOGGED,
      ...CURRENT,
      [ROUTES.proposal]: json<Proposal>({ kind: 'none', reason: 'unlinked' }),
    },
    main: ROUTES.proposal,
  },
  denialSettings: { address: `${RULES}/denials`, responses: LOGGED, main: ROUTES.denialSettings },
  noDenials: {
    address: `${RULES}/denials`,
    responses: {
      ...LOGGED,
      [ROUTES.denials]: json<DenialPage>({ denials: [], sampledOut: 0 }),
      [ROUTES.denialStream]: eventStream([['page', { denials: [], sampledOut: 0 } satisfies DenialPage]]),
    },
    main: ROUTES.denials,
  },
  noDenialsFound: {
    address: `${RULES}/denials?path=%2Fempty`,
    responses: {
      [`${ROUTES.denials}?path=%2Fempty`]: json<DenialPage>({ denials: [], sampledOut: 0 }),
      [`${ROUTES.denialStream}?path=%2Fempty`]: eventStream([
        ['page', { denials: [], sampledOut: 0 } satisfies DenialPage],
      ]),
    },
    main: `${ROUTES.denials}?path=%2Fempty`,
  },
  simulator: {
    address: `${RULES}/simulator?${SIMULATED}`,
    responses: { [ROUTES.explain]: json(ANSWER) },
    main: ROUTES.explain,
  },
  idleSimulator: { address: `${RULES}/simulator`, responses: {}, main: ROUTES.explain },
  cases: { address: `${RULES}/cases`, responses: CURRENT, main: ROUTES.version },
  publishing: { address: RULES, responses: PUBLISHING, main: ROUTES.replay },
  notRecorded: {
    address: RULES,
    responses: { ...PUBLISHING, [ROUTES.recording]: json<RecordingSettings>({ isOn: false, share: 1 }) },
    main: ROUTES.recording,
  },
} as const satisfies Readonly<Record<string, ViewFixture>>;
