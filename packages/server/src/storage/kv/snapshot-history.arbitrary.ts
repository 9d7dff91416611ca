import fc from 'fast-check';
import { SNAPSHOT_TABLES } from './snapshot.ts';
import type { KvRange, Table } from './store.ts';

/** An action on a store within a body. `snapshot` and `scan` choose among the open ones. */
export type SnapshotAction =
  | { readonly kind: 'put'; readonly table: Table; readonly key: Buffer; readonly value: Buffer }
  | { readonly kind: 'remove'; readonly table: Table; readonly key: Buffer }
  | { readonly kind: 'open' }
  | { readonly kind: 'close'; readonly snapshot: number }
  | { readonly kind: 'find'; readonly snapshot: number; readonly table: Table; readonly key: Buffer }
  | { readonly kind: 'scan'; readonly snapshot: number; readonly table: Table; readonly range: KvRange }
  | { readonly kind: 'advance'; readonly scan: number; readonly pairs: number }
  | { readonly kind: 'drop'; readonly removals: number };

/** One body: a transaction, a transaction that fails, or a body of reads, which skips the writes. */
export interface SnapshotStep {
  readonly kind: 'transact' | 'fail' | 'read';
  readonly actions: readonly SnapshotAction[];
}

const keys = fc.uint8Array({ minLength: 1, maxLength: 2, max: 3 }).map((bytes): Buffer => Buffer.from(bytes));
const values = fc.uint8Array({ maxLength: 2 }).map((bytes): Buffer => Buffer.from(bytes));
const tables = fc.constantFrom<Table>(...SNAPSHOT_TABLES);
const choices = fc.nat({ max: 5 });
const bounds = fc.option(keys, { nil: undefined });
const ranges = fc.tuple(bounds, bounds, fc.boolean()).map(
  ([lower, upper, isReversed]): KvRange => ({
    ...(lower && { lower }),
    ...(upper && { upper }),
    isReversed,
  }),
);

const actions: fc.Arbitrary<SnapshotAction> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('put' as const), table: tables, key: keys, value: values }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('remove' as const), table: tables, key: keys }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('open' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('close' as const), snapshot: choices }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('find' as const), snapshot: choices, table: tables, key: keys }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('scan' as const),
      snapshot: choices,
      table: tables,
      range: ranges,
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('advance' as const),
      scan: choices,
      pairs: fc.integer({ min: 1, max: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('drop' as const), removals: fc.integer({ min: 1, max: 5 }) }),
  },
);

export const snapshotHistories: fc.Arbitrary<readonly SnapshotStep[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('transact' as const, 'transact' as const, 'fail' as const, 'read' as const),
    actions: fc.array(actions, { maxLength: 15, size: 'max' }),
  }),
  { maxLength: 15, size: 'max' },
);
