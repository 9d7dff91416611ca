import type { CSSProperties } from 'react';
import { showControls } from '../../../elements/show-controls.ts';
import { NodeValue } from './node-value.tsx';
import type { TreeRow } from './tree-rows.ts';

interface GoneLineProps {
  readonly row: Extract<TreeRow, { kind: 'gone' }>;
  readonly style: CSSProperties;
}

/** A line that others have removed, while it fades: to look at, and nothing else. */
export function GoneLine({ row, style }: GoneLineProps) {
  return (
    <div aria-hidden className="row gone" style={style}>
      <span className="cell">
        <span className="toggle" />
        <bdi dir="ltr" className="key">
          {showControls(row.node.key)}
        </bdi>
      </span>
      <span className="value">
        <NodeValue node={row.node} isOpen={false} />
      </span>
    </div>
  );
}
