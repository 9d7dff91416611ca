import type { RecordTransaction, RecordView } from '../../records/store.ts';
import { type AccountScope, nameOfScope } from '../tenants/scope.ts';
import { decodeProviderConfig, encodeProviderConfig, type ProviderConfig } from './provider-config.ts';

/** Returns the location of a configuration in the records of the installation: `providers/<scope>/<kind>/<provider id>`. */
function pathOf(scope: AccountScope, providerId: string): readonly string[] {
  return ['providers', nameOfScope(scope), kindOf(providerId), providerId];
}

function kindOf(providerId: string): ProviderConfig['kind'] {
  if (providerId.startsWith('oidc.')) return 'oidc';
  return providerId.startsWith('saml.') ? 'saml' : 'preset';
}

/** Returns a configuration, whether it is enabled or not. */
export function findProviderConfig(
  records: RecordView,
  scope: AccountScope,
  providerId: string,
): ProviderConfig | undefined {
  const json = records.find(pathOf(scope, providerId));
  return json === undefined ? undefined : decodeProviderConfig(json);
}

/** Returns configurations of a kind in the order of their ids: those after `after`, at most `limit`. */
export function listProviderConfigs(
  records: RecordView,
  scope: AccountScope,
  {
    kind,
    after,
    limit,
  }: {
    readonly kind: ProviderConfig['kind'];
    readonly after: string | undefined;
    readonly limit: number;
  },
): readonly ProviderConfig[] {
  const range = after === undefined ? { limit } : { after, limit };
  return records
    .list(['providers', nameOfScope(scope), kind], range)
    .map(({ value }) => decodeProviderConfig(value));
}

/** Returns the number of configurations, or `limit` if there are at least that many. */
export function countProviderConfigs(records: RecordView, scope: AccountScope, limit: number): number {
  const kinds: readonly ProviderConfig['kind'][] = ['preset', 'oidc', 'saml'];
  const counts = kinds.map(
    (kind) => records.listKeys(['providers', nameOfScope(scope), kind], { limit }).length,
  );
  return Math.min(
    limit,
    counts.reduce((sum, count) => sum + count, 0),
  );
}

export function saveProviderConfig(
  records: RecordTransaction,
  scope: AccountScope,
  config: ProviderConfig,
): void {
  records.write(pathOf(scope, config.providerId), encodeProviderConfig(config));
}

export function removeProviderConfig(
  records: RecordTransaction,
  scope: AccountScope,
  providerId: string,
): void {
  records.write(pathOf(scope, providerId), null);
}
