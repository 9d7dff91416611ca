// biome-ignore-all lint/a11y/useSemanticElements: no element of HTML is a tree with columns.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and says which line is meant.
import { useTranslation } from 'react-i18next';
import { lineStyle } from './tree-row-line.tsx';
import type { TreeRow } from './tree-rows.ts';

interface TreeNoteProps {
  readonly row: Extract<TreeRow, { kind: 'empty' | 'failed' }>;
  readonly index: number;
  readonly rowHeightPx: number;
  readonly retry: () => void;
}

/** In the place of children that are not there, or could not be read. */
export function TreeNote({ row, index, rowHeightPx, retry }: TreeNoteProps) {
  const { t } = useTranslation('data');
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-level={row.level}
      className="row"
      style={lineStyle(index, rowHeightPx, row.level)}
    >
      <span role="gridcell" className="aside">
        {row.kind === 'empty'
          ? t('tree.empty')
          : t('tree.failed', { reason: row.error instanceof Error ? row.error.message : String(row.error) })}
        {row.kind === 'failed' && (
          <button type="button" onClick={retry}>
            {t('tree.retry')}
          </button>
        )}
      </span>
    </div>
  );
}
