import { expect, test } from 'vitest';
import { Api, ApiError, type ApiRequest } from './client.ts';
import { writeChanges } from './data-nodes.ts';
import { type Auth, type DeniedAction, ImpersonationApi, impersonationCredential } from './impersonation.ts';

/** Records requests and responds with an empty object or an error. */
class RecordingApi extends Api {
  readonly sent: string[] = [];
  error: Error | undefined;

  constructor() {
    super(null);
  }

  override async send(address: string, { method = 'GET' }: ApiRequest): Promise<Response> {
    this.sent.push(`${method} ${decodeURIComponent(address)}`);
    if (this.error !== undefined) throw this.error;
    return new Response('{}');
  }
}

const ANN: Auth = { uid: 'ann' };

function openTestBed(auth: Auth = ANN) {
  const own = new RecordingApi();
  const denied: DeniedAction[] = [];
  return { own, denied, api: new ImpersonationApi(own, auth, (action) => denied.push(action)) };
}

test.each([
  [
    '/api/databases/d/children?path=/a&limit=5',
    {},
    'GET /api/databases/d/children?path=/a&limit=5&as={"uid":"ann"}',
  ],
  ['/api/databases/d/changes', { method: 'POST' }, 'POST /api/databases/d/changes?as={"uid":"ann"}'],
  [
    '/api/databases/d/search',
    { query: { text: 'x' } },
    'GET /api/databases/d/search?text=x&as={"uid":"ann"}',
  ],
  ['/a/b.json', { query: { ns: 'd' } }, 'GET /a/b.json?ns=d&auth_variable_override={"uid":"ann"}'],
  ['/api/databases/d/size', { query: { path: '/a' } }, 'GET /api/databases/d/size?path=/a'],
] as const)(
  '[C354][C356][C406] during an impersonation, a request to %s with %j is sent as %s',
  async (address, request, sent) => {
    const { own, api } = openTestBed();
    await api.send(address, request);
    expect(own.sent).toEqual([sent]);
  },
);

test.each([
  '/api/databases/d/imports/import-1',
  '/api/databases/d/count',
  '/api/databases/d/rules/publish',
  '/api/projects/p/members',
  '/v1/projects/p/accounts:update',
])('[C407] a request to %s, which rules cannot decide, is not sent', async (address) => {
  const { own, api } = openTestBed();
  await expect(api.send(address, {})).rejects.toMatchObject({ status: 403 });
  expect(own.sent).toEqual([]);
});

test('[C356] actions that the rules deny are reported, and other errors are not', async () => {
  const { own, api, denied } = openTestBed(null);
  own.error = new ApiError(401, 'Permission denied');
  await expect(api.send('/a%20b.json', {})).rejects.toBe(own.error);
  await expect(api.send('/a.json', { method: 'PUT', text: '1' })).rejects.toBe(own.error);
  await expect(api.send('/a.json', { method: 'DELETE' })).rejects.toBe(own.error);
  await expect(writeChanges(api, 'd', [{ path: '/x/y', text: '2' }], [], false)).rejects.toBe(own.error);
  const actions = [
    { kind: 'read', path: '/a b' },
    { kind: 'write', path: '/a', text: '1' },
    { kind: 'write', path: '/a', text: 'null' },
    { kind: 'update', changes: { 'x/y': 2 } },
  ];
  expect(denied).toEqual(actions);
  own.error = new ApiError(401, 'Auth token is expired.', 'auth/expired');
  await expect(api.send('/a.json', {})).rejects.toBe(own.error);
  expect(denied).toEqual(actions);
});

test('[C355] the credential for WebSockets names the impersonated user, whose ID may have any Unicode characters', async () => {
  const own = { token: async () => 'member.x', onChange: () => () => {} };
  const auth = { uid: 'ünïcode ☃?>' };
  const token = await impersonationCredential(own, auth).token();
  const [, encoded = ''] = /^as\.([\w-]+)\.member\.x$/.exec(token) ?? [];
  const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (unit) =>
    unit.charCodeAt(0),
  );
  expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(auth);
});
