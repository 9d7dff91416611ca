import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import { TestClock } from '../../records/memory-records.fixture.ts';
import { projectScope } from '../tenants/scope.ts';
import { FlowStore, type PageFlow } from './flow-store.ts';

const FLOW: PageFlow = {
  kind: 'page',
  scope: projectScope('shop'),
  providerId: 'google.com',
  clientId: 'client',
  app: {
    apiKey: 'key',
    appName: 'app',
    authType: 'signInViaPopup',
    eventId: null,
    tenantId: null,
    challenge: null,
    redirectUrl: 'https://shop.example/',
  },
  redirectUri: 'https://auth.example/__/auth/handler',
  nonce: 'nonce',
  organization: null,
  codeVerifier: 'verifier',
  browserHash: 'hash',
  network: '192.0.2.1',
};

function openStore() {
  const clock = new TestClock();
  const store = new FlowStore({ clock, randomBytes });
  /** Begins flows, and returns their states. */
  const begin = (count: number, change: Partial<PageFlow>): readonly string[] =>
    Array.from({ length: count }, () => store.begin({ ...FLOW, ...change }) ?? 'rejected');
  return { clock, store, begin };
}

test('[I1572] when 40 networks fill all flows of a project, a flow of another network replaces the oldest flow of one of them', () => {
  const { store, begin } = openStore();
  const held = Array.from({ length: 40 }, (_, index) => begin(50, { network: `192.0.2.${index}` }));
  const [state] = begin(1, { network: '198.51.100.1' });
  expect(store.takeOfPage(state ?? '')).toMatchObject({ network: '198.51.100.1' });
  const left = held.flat().filter((each) => store.takeOfPage(each) !== undefined);
  expect(left).toHaveLength(1_999);
  expect(held.some(([oldest]) => !left.includes(oldest ?? ''))).toBe(true);
});

test('[I1572] a network has at most 50 flows, of which the oldest is dropped', () => {
  const { store, begin } = openStore();
  const states = begin(51, {});
  expect(states.map((state) => store.takeOfPage(state) !== undefined)).toEqual([
    false,
    ...Array.from({ length: 50 }, () => true),
  ]);
});

test('[I1572] a project has at most 2,000 flows, and does not affect the flows of other projects', () => {
  const { store, begin } = openStore();
  const [other] = begin(1, { scope: projectScope('blog'), network: '198.51.100.1' });
  const states = begin(2_001, { network: MANY_CLIENTS });
  expect(store.takeOfPage(other ?? '')).toBeDefined();
  expect(store.takeOfPage(states[0] ?? '')).toBeUndefined();
  expect(store.takeOfPage(states[1] ?? '')).toBeDefined();
});

test('[I1572] a flow can be used once, within ten minutes, and frees its place', () => {
  const { clock, store, begin } = openStore();
  const [first = '', second = ''] = begin(50, {});
  expect(store.takeOfPage(first)).toEqual(FLOW);
  expect(store.takeOfPage(first)).toBeUndefined();
  begin(1, {});
  expect(store.takeOfPage(second)).toBeDefined();
  const [third = ''] = begin(1, {});
  clock.ms += 600_000;
  expect(store.takeOfPage(third)).toBeUndefined();
  expect(begin(50, {}).every((state) => store.takeOfPage(state) !== undefined)).toBe(true);
});
