import { INSTALLATION, type RecordStore } from '../../records/store.ts';
import { findPreset } from '../providers/presets.ts';
import type { ProviderConfig } from '../providers/provider-config.ts';
import { listProviderConfigs } from '../providers/provider-config-store.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { findFlowProvider } from './flow-provider.ts';

/** A provider that the pages of the server offer. */
export interface OfferedProvider {
  readonly id: string;
  readonly name: string;
}

/** Maximum number of providers of each kind that the hosted pages offer. */
const MAX_OFFERED = 20;
const KINDS: readonly ProviderConfig['kind'][] = ['preset', 'oidc', 'saml'];

/** The provider that a development server offers if none is configured: there, every provider works. */
const EXAMPLE = 'google.com';

/** Returns the enabled providers with which the pages can sign users in: by kind, then in the order of their ids. */
export function listOfferedProviders(
  recordStore: RecordStore,
  scope: AccountScope,
  isDevelopment: boolean,
): readonly OfferedProvider[] {
  const configs = recordStore.read((view) =>
    KINDS.flatMap((kind) =>
      listProviderConfigs(view.records(INSTALLATION), scope, { kind, after: undefined, limit: MAX_OFFERED }),
    ),
  );
  const offered = configs
    .filter((config) => findFlowProvider(config) !== undefined)
    .map(({ providerId: id, displayName }) => ({ id, name: displayName ?? nameOf(id) }));
  return offered.length === 0 && isDevelopment ? [{ id: EXAMPLE, name: nameOf(EXAMPLE) }] : offered;
}

function nameOf(providerId: string): string {
  return findPreset(providerId)?.name ?? providerId;
}
