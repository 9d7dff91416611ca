import { expect, test } from 'vitest';
import { memoryRecordStore, TestClock } from '../../records/memory-records.fixture.ts';
import { INSTALLATION } from '../../records/store.ts';
import { projectScope } from '../tenants/scope.ts';
import type { OidcConfig } from './provider-config.ts';
import {
  findProviderConfig,
  listProviderConfigs,
  removeProviderConfig,
  saveProviderConfig,
} from './provider-config-store.ts';

const SHOP = projectScope('shop');

function oidc(providerId: string): OidcConfig {
  return {
    kind: 'oidc',
    providerId,
    displayName: null,
    isEnabled: true,
    emailAuthority: { kind: 'domains', domains: [] },
    clientId: 'shop',
    issuer: 'https://id.example',
    sealedClientSecret: null,
    responseType: 'id_token',
    otherClientIds: [],
  };
}

test('[I860] configurations are stored by project and id, and listed in order', async () => {
  const store = memoryRecordStore(new TestClock());
  await store.change((transaction) => {
    const records = transaction.records(INSTALLATION);
    for (const id of ['oidc.b', 'oidc.a', 'saml.a', 'oidc.c']) saveProviderConfig(records, SHOP, oidc(id));
  });
  const idsOf = (after: string | undefined, limit: number, projectId = 'shop') =>
    store.read((view) =>
      listProviderConfigs(view.records(INSTALLATION), projectScope(projectId), {
        kind: 'oidc',
        after,
        limit,
      }).map(({ providerId }) => providerId),
    );
  expect(idsOf(undefined, 10)).toEqual(['oidc.a', 'oidc.b', 'oidc.c']);
  expect(idsOf(undefined, 2)).toEqual(['oidc.a', 'oidc.b']);
  expect(idsOf('oidc.b', 2)).toEqual(['oidc.c']);
  expect(idsOf(undefined, 10, 'other')).toEqual([]);
  await store.change((transaction) =>
    removeProviderConfig(transaction.records(INSTALLATION), SHOP, 'oidc.a'),
  );
  const find = (id: string) => store.read((view) => findProviderConfig(view.records(INSTALLATION), SHOP, id));
  expect([find('oidc.a'), find('oidc.b')]).toEqual([undefined, oidc('oidc.b')]);
});
