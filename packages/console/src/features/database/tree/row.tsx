// biome-ignore-all lint/a11y/useSemanticElements: HTML has no element for a tree with columns.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active row.

import { type CSSProperties, memo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { showControls } from '../../../ui/text.tsx';
import { MOTION } from '../../../ui/theme.ts';
import type { NodePath } from '../model/node-path.ts';
import { StageSign } from '../staging/marks.tsx';
import type { RowStage } from '../staging/overlay.ts';
import type { TreeSelection } from './navigation.ts';
import { NodeValue, ROW_SHAPES } from './node-value.tsx';
import type { NodeRow, TreeRow } from './rows.ts';

interface RemovedRowProps {
  readonly row: Extract<TreeRow, { kind: 'gone' }>;
  readonly style: CSSProperties;
}

/** The row of a child that was removed, while the row fades out. It is not interactive. */
function RemovedRow({ row, style }: RemovedRowProps) {
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

const INDENT_PX = 18;

/** Props of a node's row. Its `data-` attributes identify the part that the user clicks. */
interface NodeLineProps {
  readonly row: NodeRow;
  readonly id: string;
  readonly index: number;
  /** Distance from the upper edge of the element that holds the rows. */
  readonly topPx: number;
  readonly rowHeightPx: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly mayChange: boolean;
  /** Replaces the value while it is edited. */
  readonly editor?: ReactNode;
}

const NodeLine = memo(function NodeLine(props: NodeLineProps) {
  const { row, id, index, topPx, rowHeightPx, isActive, isSelected, mayChange, editor } = props;
  const { t } = useTranslation('data');
  const { node, path, level, isOpen, changedAtMs } = row;
  const { staged } = node;
  const isObject = node.kind === 'object';
  const isFlashing = Date.now() - changedAtMs < MOTION.flashMs;
  return (
    <div
      // A new key restarts the flash after each change. While the row is edited, the key stays, so that its field keeps the
      // focus.
      key={editor === undefined ? changedAtMs : 'edited'}
      id={id}
      role="row"
      aria-rowindex={index + 1}
      aria-level={level}
      aria-selected={isSelected}
      aria-expanded={isObject ? isOpen : undefined}
      className={`row${isActive ? ' active' : ''}${isFlashing ? ' flash' : ''}${editor === undefined ? '' : ' edited'}${stageClass(staged)}`}
      data-path={path}
      style={
        editor === undefined ? lineStyle(topPx, rowHeightPx, level) : editedStyle(topPx, rowHeightPx, level)
      }
    >
      <div role="gridcell" className="cell">
        {isObject ? (
          <button
            type="button"
            tabIndex={-1}
            className="toggle"
            data-act="toggle"
            data-open={isOpen}
            aria-label={t(isOpen ? 'tree.close' : 'tree.open', { key: node.key })}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={ROW_SHAPES.chevron} />
            </svg>
          </button>
        ) : (
          <span className="toggle" />
        )}
        {staged !== undefined && <StageSign sign={staged.sign} />}
        <bdi dir="ltr" className="key" data-act="key">
          {showControls(node.key)}
        </bdi>
      </div>
      <div
        role="gridcell"
        className="value"
        data-act="value"
        style={editor === undefined ? undefined : { flex: 1 }}
      >
        {editor ?? <NodeValue node={node} isOpen={isOpen} />}
        {editor === undefined && staged?.sign === 'changed' && staged.live !== null && (
          <s className="was">
            <NodeValue node={staged.live} isOpen={false} />
          </s>
        )}
      </div>
      {node.priority !== null && editor === undefined && (
        <span className="priority" role="gridcell">
          {t('tree.priority', { priority: String(node.priority) })}
        </span>
      )}
      <span className="space" />
      {editor === undefined && (
        <div className="acts" role="gridcell">
          {mayChange && (
            <button
              type="button"
              tabIndex={-1}
              className="act"
              data-act={isObject ? 'add' : 'edit'}
              title={t(isObject ? 'add.title' : 'edit.title')}
              aria-label={t(isObject ? 'add.titleOf' : 'edit.titleOf', { key: node.key })}
            >
              <svg viewBox="0 0 24 24" aria-hidden="true">
                <path d={isObject ? ROW_SHAPES.plus : ROW_SHAPES.pencil} />
              </svg>
            </button>
          )}
          <button
            type="button"
            tabIndex={-1}
            className="act"
            data-act="menu"
            aria-haspopup="menu"
            title={t('menu.title')}
            aria-label={t('menu.titleOf', { key: node.key })}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d={ROW_SHAPES.dots} />
            </svg>
          </button>
        </div>
      )}
    </div>
  );
}, isSame);

/**
 * Returns the class of a staged change. A row with changes only below it has no class, because the changed rows are
 * marked.
 */
function stageClass(staged: RowStage | undefined): string {
  return staged === undefined || staged.sign === 'below' ? '' : ` staged ${staged.sign}`;
}

/** Compares props by value, because each change of the tree creates all rows again, and few of them differ. */
function isSame(a: NodeLineProps, b: NodeLineProps): boolean {
  return (
    a.id === b.id &&
    a.index === b.index &&
    a.topPx === b.topPx &&
    a.rowHeightPx === b.rowHeightPx &&
    a.isActive === b.isActive &&
    a.isSelected === b.isSelected &&
    a.mayChange === b.mayChange &&
    a.editor === b.editor &&
    a.row.path === b.row.path &&
    a.row.level === b.row.level &&
    a.row.node === b.row.node &&
    a.row.isOpen === b.row.isOpen &&
    a.row.changedAtMs === b.row.changedAtMs
  );
}

function lineStyle(topPx: number, rowHeightPx: number, level: number): CSSProperties {
  return {
    top: topPx,
    height: rowHeightPx,
    paddingInlineStart: 4 + (level - 1) * INDENT_PX,
  };
}

/** Returns the style of a row whose value is edited. A field with several lines covers the rows below. */
function editedStyle(topPx: number, rowHeightPx: number, level: number): CSSProperties {
  const { height, ...style } = lineStyle(topPx, rowHeightPx, level);
  return { ...style, minHeight: height };
}

interface TreeNoticeProps {
  readonly row: Extract<TreeRow, { kind: 'empty' | 'failed' }>;
  readonly index: number;
  readonly topPx: number;
  readonly rowHeightPx: number;
  readonly retry: () => void;
}

/** Shown instead of children that do not exist, or could not be read. */
function TreeNotice({ row, index, topPx, rowHeightPx, retry }: TreeNoticeProps) {
  const { t } = useTranslation('data');
  return (
    <div
      role="row"
      aria-rowindex={index + 1}
      aria-level={row.level}
      className="row"
      style={lineStyle(topPx, rowHeightPx, row.level)}
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

interface TreeLineProps {
  readonly id: (path: NodePath) => string;
  readonly row: TreeRow;
  readonly index: number;
  readonly topPx: number;
  readonly rowHeightPx: number;
  readonly selection: TreeSelection;
  readonly mayChange: boolean;
  readonly editor: { readonly path: NodePath; readonly view: ReactNode } | null;
  readonly retry: () => void;
}

/** A row of the tree, of any kind. */
export function TreeLine({
  id,
  row,
  index,
  topPx,
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
        <NodeLine
          id={id(row.path)}
          row={row}
          index={index}
          topPx={topPx}
          rowHeightPx={rowHeightPx}
          isActive={selection.active === row.path}
          isSelected={selection.paths.has(row.path)}
          mayChange={mayChange}
          editor={editor?.path === row.path ? editor.view : undefined}
        />
      );
    case 'gone':
      return <RemovedRow row={row} style={lineStyle(topPx, rowHeightPx, row.level)} />;
    case 'unread':
      return (
        <div
          role="row"
          aria-rowindex={index + 1}
          aria-level={row.level}
          aria-busy
          className="row"
          style={lineStyle(topPx, rowHeightPx, row.level)}
        >
          <span role="gridcell">
            <span role="progressbar" aria-label={t('tree.reading')} className="unread" />
          </span>
        </div>
      );
    case 'empty':
    case 'failed':
      return <TreeNotice row={row} index={index} topPx={topPx} rowHeightPx={rowHeightPx} retry={retry} />;
    default:
      return row satisfies never;
  }
}
