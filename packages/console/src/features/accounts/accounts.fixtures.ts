import type { ExportPage } from '../../api/account-files.ts';
import { type AccountSession, SIGN_IN_EVENTS } from '../../api/account-security.ts';
import type {
  Account,
  AccountPage,
  AccountSearchLine,
  Duplicates,
  MergePreview,
} from '../../api/accounts.ts';
import type { AuditPage } from '../../api/audit.ts';
import { type FakeResponses, json, jsonLines } from '../../api/fake-server.fixture.ts';
import type { Member } from '../../api/project.ts';
import type { TenantPage } from '../../api/tenants.ts';
import type { ViewFixture } from '../../app/view-test-bed.fixture.tsx';

export const ALICE: Account = {
  localId: 'uOLr5pQv2Xc8KfJm1sTn7AeWb4z2',
  email: 'alice@example.com',
  emailVerified: true,
  displayName: 'Alice Martin',
  photoUrl: 'https://example.com/alice.png',
  phoneNumber: '+442079460123',
  passwordHash: 'UkVEQUNURUQ=',
  providerUserInfo: [
    { providerId: 'password', rawId: 'alice@example.com', email: 'alice@example.com' },
    { providerId: 'google.com', rawId: '108204268033311374519', email: 'alice@gmail.example' },
    { providerId: 'phone', rawId: '+442079460123', phoneNumber: '+442079460123' },
  ],
  createdAt: '1767261600000',
  lastLoginAt: '1777621920000',
  customAttributes: '{"role":"editor","rooms":["lobby","garden"]}',
  mfaInfo: [
    {
      mfaEnrollmentId: 'f1',
      displayName: 'Work phone',
      enrolledAt: '2026-02-03T09:30:00Z',
      phoneInfo: '+44•••••0123',
    },
    { mfaEnrollmentId: 'f2', enrolledAt: '2026-03-09T17:05:00Z' },
  ],
  passkeyInfo: [
    {
      credentialId: 'p1',
      name: 'iCloud Keychain',
      createdAt: '2026-04-01T08:00:00Z',
      lastUsedAt: '2026-04-20T08:00:00Z',
    },
  ],
};

export const BOB: Account = {
  localId: 'b0bKq3RtYw',
  email: 'bob@example.org',
  displayName: 'Bob',
  providerUserInfo: [{ providerId: 'password', rawId: 'bob@example.org', email: 'bob@example.org' }],
  passwordHash: 'UkVEQUNURUQ=',
  disabled: true,
  createdAt: '1769939999000',
};

const GUEST: Account = {
  localId: 'zV9anonymous1',
  createdAt: '1777600000000',
  lastLoginAt: '1777600000000',
};

const LIST: AccountPage = { accounts: [ALICE, BOB, GUEST], next: null };

const SESSIONS: readonly AccountSession[] = [
  {
    sessionId: 's1',
    createdAt: '1777621920000',
    lastUsedAt: '1777708320000',
    signInProvider: 'password',
    secondFactor: 'totp',
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    network: '203.0.113.0/24',
  },
  {
    sessionId: 's2',
    createdAt: '1775000000000',
    lastUsedAt: '1777000000000',
    signInProvider: 'google.com',
    userAgent: '',
    network: '2001:db8:42::/48',
  },
];

const OF_ALICE = { uid: ALICE.localId, actor: 'app', requestId: null, count: 1, lastTimeMs: null };

const SIGN_INS: AuditPage = {
  entries: [
    {
      id: '0190a2',
      timeMs: 1_777_621_920_000,
      ...OF_ALICE,
      event: 'sign_in',
      address: '203.0.113.7',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      result: 'ok',
      detail: 'password+totp',
    },
    {
      id: '0190a1',
      timeMs: 1_777_621_900_000,
      ...OF_ALICE,
      event: 'sign_in',
      address: '2001:db8:42::7',
      userAgent: '',
      result: 'INVALID_LOGIN_CREDENTIALS',
      detail: 'password',
      count: 3,
      lastTimeMs: 1_777_621_910_000,
    },
  ],
  next: '0190a1',
};

const HISTORY: AuditPage = {
  entries: [
    {
      id: '0190a2',
      timeMs: 1_777_621_920_000,
      ...OF_ALICE,
      event: 'sign_in',
      address: '203.0.113.0/24',
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      result: 'ok',
      detail: 'password, totp',
    },
    {
      id: '0190a1',
      timeMs: 1_777_621_900_000,
      ...OF_ALICE,
      event: 'second_factor_failed',
      address: '203.0.113.0/24',
      userAgent: '',
      result: 'INVALID_CODE',
      detail: null,
    },
  ],
  next: '0190a1',
};

const EXPORT: ExportPage = { users: [{ ...ALICE }, { ...BOB }, { ...GUEST }] };

const SEARCH: readonly AccountSearchLine[] = [
  { kind: 'account', account: BOB },
  { kind: 'progress', looked: 2, found: 1 },
  { kind: 'done', looked: 3, found: 1, isComplete: true },
];

const MEMBERS: readonly Member[] = [
  {
    uid: ALICE.localId,
    email: 'alice@example.com',
    name: 'Alice Martin',
    role: 'owner',
    addedAtMs: 1_767_261_600_000,
    hasSecondFactor: true,
  },
];

const DUPLICATES: Duplicates = {
  duplicates: [{ account: GUEST, shared: [{ kind: 'phone', text: '+442079460123' }] }],
  isComplete: false,
};

const MERGE: MergePreview = {
  into: ALICE,
  from: GUEST,
  merged: ALICE,
  moved: [{ kind: 'provider', text: 'github.com: alice@example.net' }],
  lost: [{ kind: 'phone', text: '+442079460999' }],
  endedSessions: 2,
  problem: null,
  digest: 'd1',
};

/** A file for the import dialog; its second account has no user ID. */
export const ACCOUNT_FILE = JSON.stringify({
  users: [{ localId: 'carol', email: 'carol@example.com' }, { email: 'dave@example.com' }],
});

const ACCOUNTS = '/identitytoolkit.googleapis.com/v1/projects/demo/accounts';
export const COUNT = `POST ${ACCOUNTS}:query`;

/** The requests whose fake responses determine the content of the views. */
export const ROUTES = {
  list: 'GET /api/projects/demo/accounts',
  search: 'GET /api/projects/demo/accounts/search?text=bob',
  account: `POST ${ACCOUNTS}:lookup`,
  sessions: `GET ${ACCOUNTS}/${ALICE.localId}/sessions`,
  signIns: `GET /api/projects/demo/audit?uid=${ALICE.localId}&event=${SIGN_IN_EVENTS}`,
  duplicates: `GET /api/projects/demo/accounts/duplicates?uid=${ALICE.localId}`,
  merge: `GET /api/projects/demo/accounts/merge?into=${ALICE.localId}&from=${GUEST.localId}`,
  merged: 'POST /api/projects/demo/accounts/merge',
  history: `GET /api/projects/demo/audit?uid=${ALICE.localId}`,
  exported: `GET ${ACCOUNTS}:batchGet`,
  imported: `POST ${ACCOUNTS}:batchCreate`,
  created: `POST ${ACCOUNTS}`,
  changed: `POST ${ACCOUNTS}:update`,
  members: 'GET /api/projects/demo/members',
  tenants: 'GET /api/projects/demo/tenants',
} as const;

const NO_TENANTS: FakeResponses = {
  [ROUTES.tenants]: json({ tenants: [], next: null, count: 0 } satisfies TenantPage),
};

const LISTED: FakeResponses = {
  ...NO_TENANTS,
  [ROUTES.list]: json(LIST),
  [COUNT]: json({ recordsCount: '3' }),
};

/** The ID of the tenant in `ACCOUNT_FIXTURES.ofTenant`. */
const ACME = 'acme-k3x9a2b7';

const OF_TENANT: FakeResponses = {
  [ROUTES.tenants]: json({
    tenants: [
      {
        id: ACME,
        displayName: 'Acme',
        isDisabled: false,
        methods: ['password'],
        createdAtMs: 1_767_261_600_000,
      },
    ],
    next: null,
    count: 1,
  } satisfies TenantPage),
  [`GET /api/projects/demo/accounts?tenant=${ACME}`]: json({
    accounts: [BOB],
    next: null,
  } satisfies AccountPage),
  [`POST /identitytoolkit.googleapis.com/v1/projects/demo/tenants/${ACME}/accounts:query`]: json({
    recordsCount: '1',
  }),
};

const DETAIL: FakeResponses = {
  [ROUTES.account]: json({ users: [ALICE] }),
  [ROUTES.sessions]: json({ sessions: SESSIONS }),
  // This key must come before that of the history, whose address has fewer parameters, because the first matching key
  // applies.
  [ROUTES.signIns]: json(SIGN_INS),
  [ROUTES.history]: json(HISTORY),
  [ROUTES.members]: json({ members: MEMBERS }),
};

/** Fixtures of the account views, by the name of the view or its state. */
export const ACCOUNT_FIXTURES = {
  list: { address: 'accounts', responses: LISTED, main: ROUTES.list },
  ofTenant: {
    address: `accounts?tenant=${ACME}`,
    responses: OF_TENANT,
    main: `GET /api/projects/demo/accounts?tenant=${ACME}`,
  },
  found: {
    address: 'accounts?q=bob',
    responses: {
      ...NO_TENANTS,
      'GET /api/projects/demo/accounts?by=any&prefix=bob': json({
        accounts: [BOB],
        next: null,
      } satisfies AccountPage),
      [ROUTES.search]: jsonLines(SEARCH),
      [COUNT]: json({ recordsCount: '3' }),
    },
    main: 'GET /api/projects/demo/accounts?by=any&prefix=bob',
  },
  account: { address: `accounts/${ALICE.localId}`, responses: DETAIL, main: ROUTES.account },
  sessions: { address: `accounts/${ALICE.localId}`, responses: DETAIL, main: ROUTES.sessions },
  signIns: { address: `accounts/${ALICE.localId}`, responses: DETAIL, main: ROUTES.signIns },
  duplicates: {
    address: `accounts/${ALICE.localId}`,
    responses: {
      ...DETAIL,
      [ROUTES.duplicates]: json(DUPLICATES),
      [ROUTES.merge]: json(MERGE),
      [ROUTES.merged]: json({ account: ALICE }),
    },
    main: ROUTES.duplicates,
  },
  history: { address: `accounts/${ALICE.localId}`, responses: DETAIL, main: ROUTES.history },
  export: {
    address: 'accounts?dialog=export',
    responses: { ...LISTED, [ROUTES.exported]: json(EXPORT) },
    main: ROUTES.exported,
  },
  import: {
    address: 'accounts?dialog=import',
    responses: { ...LISTED, [ROUTES.imported]: json({}) },
    main: ROUTES.imported,
  },
  empty: {
    address: 'accounts',
    responses: {
      ...NO_TENANTS,
      [ROUTES.list]: json({ accounts: [], next: null } satisfies AccountPage),
      [COUNT]: json({ recordsCount: '0' }),
    },
    main: ROUTES.list,
  },
  deleted: {
    address: `accounts/${ALICE.localId}`,
    responses: { ...DETAIL, [ROUTES.account]: json({}) },
    main: ROUTES.account,
  },
} as const satisfies Readonly<Record<string, ViewFixture>>;
