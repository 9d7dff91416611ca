import type { RecordTransaction, RecordView } from '../../records/store.ts';
import {
  decodeProviderConfig,
  encodeProviderConfig,
  type ProviderConfig,
  type ProviderScope,
} from './provider-config.ts';

/** The records of the installation hold a configuration at `providers/<project>/<provider id>`. */
function pathOf({ projectId }: ProviderScope, providerId: string): readonly string[] {
  return ['providers', projectId, providerId];
}

/** Returns a configuration, whether it is enabled or not. */
export function findProviderConfig(
  records: RecordView,
  scope: ProviderScope,
  providerId: string,
): ProviderConfig | undefined {
  const json = records.find(pathOf(scope, providerId));
  return json === undefined ? undefined : decodeProviderConfig(json);
}

/** Returns configurations whose ids begin with `prefix`, in order: those after `after`, at most `limit`. */
export function listProviderConfigs(
  records: RecordView,
  { projectId }: ProviderScope,
  {
    prefix,
    after,
    limit,
  }: { readonly prefix: string; readonly after: string | undefined; readonly limit: number },
): readonly ProviderConfig[] {
  const range = after === undefined ? { from: prefix, limit } : { after, limit };
  return records
    .list(['providers', projectId], range)
    .filter(({ key }) => key.startsWith(prefix))
    .map(({ value }) => decodeProviderConfig(value));
}

export function saveProviderConfig(
  records: RecordTransaction,
  scope: ProviderScope,
  config: ProviderConfig,
): void {
  records.write(pathOf(scope, config.providerId), encodeProviderConfig(config));
}

export function removeProviderConfig(
  records: RecordTransaction,
  scope: ProviderScope,
  providerId: string,
): void {
  records.write(pathOf(scope, providerId), null);
}
