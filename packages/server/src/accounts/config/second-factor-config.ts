import { isJsonObject, type JsonObject } from '../fields.ts';
import type { ProjectSettings } from '../project-settings.ts';
import { invalidConfig, mustBeOneOf } from './config-value.ts';
import { findAt } from './json-path.ts';

const MAX_INTERVALS = 10;

type SecondFactor = ProjectSettings['secondFactor'];

/** `mfa.providerConfigs`: one entry, for codes of an authenticator app. */
export function encodeProviderConfigs({ isTotpEnabled, totpAdjacentIntervals }: SecondFactor): JsonObject[] {
  return [
    {
      state: isTotpEnabled ? 'ENABLED' : 'DISABLED',
      totpProviderConfig: { adjacentIntervals: totpAdjacentIntervals },
    },
  ];
}

export function decodeProviderConfigs(value: unknown, path: string, current: SecondFactor): SecondFactor {
  if (!Array.isArray(value) || value.length > 1) throw invalidConfig(path, 'a list of one entry');
  const [entry] = value;
  if (entry === undefined) return { ...current, isTotpEnabled: false };
  if (!isJsonObject(entry) || !isJsonObject(entry['totpProviderConfig']))
    throw invalidConfig(path, 'a list of one entry with totpProviderConfig');
  const state = mustBeOneOf(entry['state'] ?? 'DISABLED', `${path}.state`, [
    'ENABLED',
    'DISABLED',
    'MANDATORY',
  ]);
  const intervals =
    findAt(entry, ['totpProviderConfig', 'adjacentIntervals']) ?? current.totpAdjacentIntervals;
  if (
    typeof intervals !== 'number' ||
    !Number.isInteger(intervals) ||
    intervals < 0 ||
    intervals > MAX_INTERVALS
  )
    throw invalidConfig(
      `${path}.totpProviderConfig.adjacentIntervals`,
      `a whole number from 0 to ${MAX_INTERVALS}`,
    );
  return { ...current, isTotpEnabled: state !== 'DISABLED', totpAdjacentIntervals: intervals };
}
