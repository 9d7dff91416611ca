import type { Books } from '../books/books.ts';
import { INSTALLATION } from '../books/installation-book.ts';
import type { Logger } from '../ops/logger.ts';
import { type Argon2Cost, DEFAULT_ARGON2_COST } from '../passwords/argon2-cost.ts';
import { calibrateArgon2 } from '../passwords/calibrate-argon2.ts';
import { isJsonObject } from './fields.ts';

const PLACE = ['passwordCost'] as const;

/** What was measured, as it is kept. Version history: 1, the first. */
interface CostRecord {
  readonly v: 1;
  readonly targetMs: number;
  readonly passes: number;
}

export interface PasswordCostOptions {
  readonly books: Books;
  /** What hashing a password may take, in ms; `null` for the default cost, on whatever machine. */
  readonly targetMs: number | null;
  readonly elapsedMs: () => number;
  readonly logger: Logger;
}

/**
 * What hashing a new password costs from now on. It is measured once for each time that is aimed at, logged, and kept,
 * because it would come out a little different at each start, and passwords would be hashed anew for nothing.
 */
export async function openPasswordCost({
  books,
  targetMs,
  elapsedMs,
  logger,
}: PasswordCostOptions): Promise<Argon2Cost> {
  if (targetMs === null) return DEFAULT_ARGON2_COST;
  const kept = books.read((view) => findPasses(view.book(INSTALLATION).find(PLACE), targetMs));
  if (kept !== undefined) return { ...DEFAULT_ARGON2_COST, passes: kept };
  const cost = calibrateArgon2(targetMs, elapsedMs);
  const record: CostRecord = { v: 1, targetMs, passes: cost.passes };
  await books.change((turn) => turn.book(INSTALLATION).write(PLACE, record));
  logger.info({ targetMs, ...cost }, 'measured what hashing a password costs');
  return cost;
}

function findPasses(record: unknown, targetMs: number): number | undefined {
  if (!isJsonObject(record) || record['v'] !== 1 || record['targetMs'] !== targetMs) return undefined;
  const { passes } = record;
  return typeof passes === 'number' ? passes : undefined;
}
