import type { Priority } from '@hearth/core/tree/node.ts';

/** A write as it was to be, with its placeholders resolved. */
export type KeptWrite =
  /** `json` in export form. */
  | { readonly kind: 'node'; readonly path: string; readonly json: string }
  | { readonly kind: 'priority'; readonly path: string; readonly priority: Priority };

/** What rules saw of the tree before the operation. */
export type KeptRead =
  | { readonly kind: 'value'; readonly path: string; readonly value: boolean | number | string | null }
  /** An inner node. */
  | { readonly kind: 'object'; readonly path: string }
  | { readonly kind: 'priority'; readonly path: string; readonly priority: Priority }
  /** The first children of a node; all of them if there are fewer than `limit`. */
  | {
      readonly kind: 'keys';
      readonly path: string;
      readonly limit: number;
      readonly keys: readonly string[];
    };

/** All values that a verdict rested on. */
export interface KeptValues {
  readonly writes: readonly KeptWrite[];
  readonly reads: readonly KeptRead[];
}
