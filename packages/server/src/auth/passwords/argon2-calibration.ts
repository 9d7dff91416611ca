import type { Logger } from '../../platform/logger.ts';
import { INSTALLATION, type RecordStore } from '../../records/store.ts';
import { isJsonObject } from '../fields.ts';
import { type Argon2Cost, DEFAULT_ARGON2_COST, deriveArgon2 } from './argon2.ts';

/** Maximum number of passes of a hash that Firebase can import. */
const MAX_PASSES = 16;
const SAMPLES = 5;

/**
 * Returns the cost with the most passes at which one hash takes at most about `targetMs` on this machine: 2 to 16
 * passes over the default memory. Blocks the event loop for a few hashes. Callers should store the result: verifying
 * a hash of another cost takes twice as long, because the server also computes a replacement, even for a wrong
 * password.
 */
export function calibrateArgon2(targetMs: number, elapsedMs: () => number): Argon2Cost {
  let fastestMs = Number.POSITIVE_INFINITY;
  for (let sample = 0; sample < SAMPLES; sample++) {
    const startedMs = elapsedMs();
    deriveArgon2('argon2id', {
      password: new Uint8Array(16),
      salt: new Uint8Array(16),
      cost: DEFAULT_ARGON2_COST,
      lengthBytes: 32,
    });
    fastestMs = Math.min(fastestMs, elapsedMs() - startedMs);
  }
  return { ...DEFAULT_ARGON2_COST, passes: passesWithin(targetMs, fastestMs) };
}

function passesWithin(targetMs: number, defaultMs: number): number {
  const passes = Math.floor((targetMs / defaultMs) * DEFAULT_ARGON2_COST.passes);
  return Math.min(Math.max(passes, DEFAULT_ARGON2_COST.passes), MAX_PASSES);
}

const PATH = ['passwordCost'] as const;

/** The measured cost, as stored. History: version 1. */
interface CostRecord {
  readonly v: 1;
  readonly targetMs: number;
  readonly passes: number;
}

/** The cost of hashing a password: the same on every machine, or as much as takes about `targetMs`, in ms. */
export type PasswordCost = Argon2Cost | { readonly targetMs: number };

export interface PasswordCostOptions {
  readonly recordStore: RecordStore;
  readonly wanted: PasswordCost;
  readonly elapsedMs: () => number;
  readonly logger: Logger;
}

/**
 * Returns the cost of hashing new passwords. Measures it once for each target duration, then logs and stores
 * it: measurements differ slightly, and a new one at each start would cause passwords to be rehashed for no
 * reason.
 */
export async function openPasswordCost({
  recordStore,
  wanted,
  elapsedMs,
  logger,
}: PasswordCostOptions): Promise<Argon2Cost> {
  if (!('targetMs' in wanted)) return wanted;
  const { targetMs } = wanted;
  const kept = recordStore.read((view) => findPasses(view.records(INSTALLATION).find(PATH), targetMs));
  if (kept !== undefined) return { ...DEFAULT_ARGON2_COST, passes: kept };
  const cost = calibrateArgon2(targetMs, elapsedMs);
  const record: CostRecord = { v: 1, targetMs, passes: cost.passes };
  await recordStore.change((transaction) => transaction.records(INSTALLATION).write(PATH, record));
  logger.info({ targetMs, ...cost }, 'measured the cost of hashing a password');
  return cost;
}

function findPasses(record: unknown, targetMs: number): number | undefined {
  if (!isJsonObject(record) || record['v'] !== 1 || record['targetMs'] !== targetMs) return undefined;
  const { passes } = record;
  return typeof passes === 'number' ? passes : undefined;
}
