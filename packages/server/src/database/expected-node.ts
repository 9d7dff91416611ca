import type { Path } from '@hearth/core/tree/path.ts';

/** A node that somebody believes to be at a place, by its hash; `''` for an absent node. */
export interface ExpectedNode {
  readonly path: Path;
  readonly hash: string;
}
