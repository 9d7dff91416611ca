// biome-ignore-all lint/a11y/useSemanticElements: no element of HTML is a tree with columns.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which line is meant.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { NodePath } from '../model/node-path.ts';
import { GoneLine } from './gone-line.tsx';
import { TreeNote } from './tree-note.tsx';
import { lineStyle, TreeRowLine } from './tree-row-line.tsx';
import type { TreeRow } from './tree-rows.ts';
import type { TreeSelection } from './use-tree-selection.ts';

interface TreeLineProps {
  readonly id: (path: NodePath) => string;
  readonly row: TreeRow;
  readonly index: number;
  readonly rowHeightPx: number;
  readonly selection: TreeSelection;
  readonly mayChange: boolean;
  readonly editor: { readonly path: NodePath; readonly view: ReactNode } | null;
  readonly retry: () => void;
}

/** Any line of the tree. */
export function TreeLine({
  id,
  row,
  index,
  rowHeightPx,
  selection,
  mayChange,
  editor,
  retry,
}: TreeLineProps) {
  const { t } = useTranslation('data');
  switch (row.kind) {
    case 'node':
      return (
        <TreeRowLine
          id={id(row.path)}
          row={row}
          index={index}
          rowHeightPx={rowHeightPx}
          isActive={selection.active === row.path}
          isSelected={selection.paths.has(row.path)}
          mayChange={mayChange}
          editor={editor?.path === row.path ? editor.view : undefined}
        />
      );
    case 'gone':
      return <GoneLine row={row} style={lineStyle(index, rowHeightPx, row.level)} />;
    case 'unread':
      return (
        <div
          role="row"
          aria-rowindex={index + 1}
          aria-level={row.level}
          aria-busy
          className="row"
          style={lineStyle(index, rowHeightPx, row.level)}
        >
          <span role="gridcell" className="toggle" aria-label={t('tree.reading')} />
          <span className="unread" />
        </div>
      );
    case 'empty':
    case 'failed':
      return <TreeNote row={row} index={index} rowHeightPx={rowHeightPx} retry={retry} />;
    default:
      return row satisfies never;
  }
}
