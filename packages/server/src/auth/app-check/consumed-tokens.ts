import { INSTALLATION, type RecordStoreTransaction } from '../../records/store.ts';
import type { AppCheckToken } from './app-check-tokens.ts';

/**
 * The App Check tokens that were used up, in the records of the installation.
 *
 * | path                                     | record |
 * |------------------------------------------|--------|
 * | appCheckConsumed / project / hour / id   | true   |
 *
 * `hour` is the hour in which the token expires, since 1970. History: this is the first format; it stores no version
 * number.
 */

const HOUR_MS = 3_600_000;
/** Hours have the same number of digits for the next 10,000 years, so that their order as text is their order in time. */
const HOUR_DIGITS = 8;
/** Maximum number of past hours whose records one use removes; more than one, so that their number falls. */
const MAX_REMOVED_HOURS = 2;

function hourOf(timeMs: number): string {
  return `h${String(Math.floor(timeMs / HOUR_MS)).padStart(HOUR_DIGITS, '0')}`;
}

/** Uses up a token, within another transaction. Returns false if it was used up before. */
export function consumeToken(
  transaction: RecordStoreTransaction,
  projectId: string,
  { tokenId, expiresAtMs }: AppCheckToken,
): boolean {
  const records = transaction.records(INSTALLATION);
  const ofProject = ['appCheckConsumed', projectId];
  const past = records.listKeys(ofProject, {
    before: hourOf(transaction.nowMs),
    limit: MAX_REMOVED_HOURS,
  });
  for (const hour of past) records.write([...ofProject, hour], null);
  const path = [...ofProject, hourOf(expiresAtMs), tokenId];
  if (records.find(path) !== undefined) return false;
  records.write(path, true);
  return true;
}
