import type { ChildRow } from '../../../server/data.ts';
import type { RowStage } from '../staged/row-stage.ts';

/** A child as a page holds it. */
export type BranchRow = ChildRow & {
  /** When somebody else removed it, in milliseconds since 1970: it is shown for a moment longer. */
  readonly goneAtMs?: number;
  /** What staged edits make of it. */
  readonly staged?: RowStage;
};
