import { expect, test } from 'vitest';
import type { ApiRoute } from '../admin-api/request.ts';
import { ALL_ROUTES } from '../admin-api/routes.fixture.ts';
import type { Resource, Right } from '../auth/roles/rights.ts';
import { enroll, makeMember, makeMemberWithoutSecondFactor, makeProject, signUp } from './members.fixture.ts';
import { openServing, type Serving } from './serving.fixture.ts';

/** A caller, and the caller's rights in the project `shop`. */
interface Caller {
  readonly name: string;
  readonly token: string | undefined;
  readonly rights: readonly Right[];
  /** The error code with which every request of this caller is rejected. */
  readonly requestError?: string;
  /** Whether the caller is a member of another project. */
  readonly isForeign?: boolean;
}

const STATUS: Readonly<Record<string, number>> = {
  'auth/admin-only': 401,
  'auth/unreadable': 401,
  'auth/role': 403,
  'member/unknown': 403,
  'member/second-factor': 403,
};

const ADMITTED = 'admitted';

/** Among members, only owners can create databases; service accounts need the role for databases. */
const CREATED_BY_OWNERS = 'POST /v1beta/projects/{project}/locations/{location}/instances';

function resourceOf({ path, isFor }: ApiRoute): Resource['kind'] | 'any-project' {
  if (isFor !== undefined) return isFor;
  return path.includes('{') ? 'project' : 'server';
}

/** Returns the code of the expected error, or `undefined` if the caller is admitted. */
function expectedCode(route: ApiRoute, { rights, requestError, isForeign }: Caller): string | undefined {
  if (requestError !== undefined) return requestError;
  const resource = resourceOf(route);
  if (resource === 'server') return 'auth/role';
  if (isForeign === true && resource !== 'any-project') return 'member/unknown';
  const right = `${route.method} ${route.path}` === CREATED_BY_OWNERS ? 'admin' : route.right;
  return rights.includes(right) ? undefined : 'auth/role';
}

function urlOf({ path }: ApiRoute): string {
  const segments: Readonly<Record<string, string>> = {
    database: 'shop',
    project: 'shop',
    instance: 'shop',
    location: '-',
    id: 'import-01',
  };
  return path.replace(/\{(\w+)\}/g, (_, name: string) => segments[name] ?? 'nobody');
}

/**
 * Sends a request. Resolves to the status and code of an authorization error, or to `ADMITTED`. Does not read streams
 * to the end.
 */
async function askRoute({ app }: Serving, route: ApiRoute, token: string | undefined): Promise<string> {
  const answer = await fetch(`${app.url}${urlOf(route)}`, {
    method: route.method,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    ...(route.method === 'GET' || route.method === 'DELETE' ? {} : { body: '{}' }),
  });
  const { status } = answer;
  if (status === 401 || status === 403) return `${status} ${Object(await answer.json())['code']}`;
  await answer.body?.cancel();
  return ADMITTED;
}

async function openCallers(serving: Serving): Promise<readonly Caller[]> {
  const [shop, club] = [await makeProject(serving, 'shop'), await makeProject(serving, 'club')];
  const member = (role: 'owner' | 'editor' | 'viewer') => makeMember(serving, 'shop', shop, role);
  const [owner, editor, viewer] = [await member('owner'), await member('editor'), await member('viewer')];
  const foreign = await makeMember(serving, 'club', club, 'owner');
  const user = await signUp(serving, 'shop', shop, 'user');
  const oneFactor = await makeMemberWithoutSecondFactor(serving, 'shop', shop, 'owner', 'careless');
  return [
    { name: 'owner', token: owner.memberToken, rights: ['read', 'write', 'admin'] },
    { name: 'editor', token: editor.memberToken, rights: ['read', 'write'] },
    { name: 'viewer', token: viewer.memberToken, rights: ['read'] },
    {
      name: 'owner of another project',
      token: foreign.memberToken,
      rights: ['read', 'write', 'admin'],
      isForeign: true,
    },
    { name: 'user', token: user.memberToken, rights: [], requestError: 'member/unknown' },
    {
      name: 'member with one factor',
      token: oneFactor.memberToken,
      rights: [],
      requestError: 'member/second-factor',
    },
    { name: 'owner with an ID token', token: owner.idToken, rights: [], requestError: 'auth/admin-only' },
    { name: 'anonymous', token: undefined, rights: [], requestError: 'auth/admin-only' },
    { name: 'an invented member', token: 'member.a.b.c', rights: [], requestError: 'auth/unreadable' },
  ];
}

test('[H389][H390][H391] each route admits exactly the callers with the required right', async () => {
  const serving = await openServing();
  const callers = await openCallers(serving);
  const routes = ALL_ROUTES;
  expect(routes.length).toBeGreaterThan(50);
  // Other tests check the responses to admitted callers.
  for (const caller of callers) {
    const seen: string[] = [];
    const expected: string[] = [];
    for (const route of routes) {
      const target = `${caller.name}: ${route.method} ${route.path}`;
      const code = expectedCode(route, caller);
      // Errors of the official services have no codes.
      const reported = route.path.startsWith('/api/') ? code : undefined;
      expected.push(`${target} ${code === undefined ? ADMITTED : `${STATUS[code]} ${reported}`}`);
      seen.push(`${target} ${await askRoute(serving, route, caller.token)}`);
    }
    expect(seen).toEqual(expected);
  }
});

test('[H391] a second factor gives access immediately', async () => {
  const serving = await openServing();
  const apiKey = await makeProject(serving, 'shop');
  const withoutFactor = await makeMemberWithoutSecondFactor(serving, 'shop', apiKey, 'owner', 'careless');
  const ask = (token: string) => serving.ask('/api/session', { token });
  expect(await ask(withoutFactor.memberToken)).toMatchObject({
    status: 403,
    json: { code: 'member/second-factor' },
  });
  const idToken = await enroll(serving, apiKey, withoutFactor.idToken);
  expect(await ask(`member.${idToken}`)).toMatchObject({ status: 200 });
  // The earlier session began without a second factor, so it has no access.
  expect((await ask(withoutFactor.memberToken)).status).toBe(403);
});
