import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import { styled } from '@mui/material/styles';
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { MOTION, meaningColor } from '../../../ui/theme.ts';
import type { NodePath } from '../model/node-path.ts';
import { stageStyles } from '../staging/marks.tsx';
import { type TreeActions, type TreeSelection, takeTreeKey, useTreeMoves } from './navigation.ts';
import { TreeLine } from './row.tsx';
import { useRowScroll } from './row-scroll.ts';
import { linesIn, type RowWindow, useRowWindow, useScrollAnchor } from './row-window.ts';
import { findIndex, findRow, idOfRow, type NodeRow, type TreeRows } from './rows.ts';
import type { TreeModel } from './tree-model.ts';

/** The row under the mouse, and the part of the row. */
interface Hit {
  readonly row: NodeRow;
  readonly act: string | undefined;
  readonly element: Element;
}

/** Returns the row under the mouse; `undefined` if there is none, or if the mouse is on an editor. */
function findHit(rows: TreeRows, { target }: MouseEvent): Hit | undefined {
  if (!(target instanceof Element) || target.closest('[data-editor]') !== null) return undefined;
  const line = target.closest<HTMLElement>('[data-path]');
  const path = line?.dataset['path'];
  if (path === undefined) return undefined;
  const row = findRow(rows, findIndex(rows, path));
  if (row?.kind !== 'node') return undefined;
  const element = target.closest<HTMLElement>('[data-act]');
  return { row, act: element?.dataset['act'], element: element ?? target };
}

/** The scrolling container of the tree. Rows are many and change often, so they use classes instead of styled components. */
const TreeGrid = styled('div')(({ theme }) => ({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  position: 'relative',
  contain: 'strict',
  overflowAnchor: 'none',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  background: theme.palette.background.paper,
  fontFamily: MONOSPACE,
  fontSize: theme.typography.body2.fontSize,
  // Shift selects rows, and not the text of the page.
  userSelect: 'none',
  '& [data-editor]': { userSelect: 'text' },
  '&:focus-visible': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: -2 },
  '& .row': {
    position: 'absolute',
    insetInline: 0,
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    paddingInlineEnd: theme.spacing(1),
    whiteSpace: 'nowrap',
    cursor: 'default',
    scrollMarginBlock: 0,
  },
  '& .row:hover': { background: theme.palette.action.hover },
  '& .row[aria-selected="true"]': { background: theme.palette.action.selected },
  '& .row.active': {
    boxShadow: `inset 3px 0 0 ${theme.palette.primary.main}`,
    background: theme.palette.action.hover,
  },
  '& .row.active[aria-selected="true"]': { background: theme.palette.action.selected },
  // Covers the rows below it, also while it is active or selected.
  '& .row.edited, & .row.edited:hover, & .row.edited.active, & .row.edited.active[aria-selected="true"]': {
    zIndex: 1,
    background: theme.palette.background.paper,
  },
  [theme.breakpoints.down('sm')]: {
    '& .row.edited, & .row.edited.active': {
      flexWrap: 'wrap',
      boxShadow: theme.shadows[2],
      paddingBlockEnd: theme.spacing(1),
    },
    '& .row.edited .cell': { maxWidth: '100%' },
    // Below the key, in the full width.
    '& .row.edited .value': { flex: '1 1 100% !important' },
  },
  '& .row.flash': { animation: `flash ${MOTION.flashMs}ms ease-out` },
  '@keyframes flash': {
    from: { backgroundColor: meaningColor(theme, 'flash') },
    to: { backgroundColor: 'transparent' },
  },
  '& .row.gone': {
    animation: `gone ${MOTION.flashMs}ms ease-in forwards`,
    pointerEvents: 'none',
    textDecoration: 'line-through',
  },
  '@keyframes gone': {
    from: { backgroundColor: meaningColor(theme, 'flash'), opacity: 1 },
    to: { backgroundColor: 'transparent', opacity: 0 },
  },
  ...stageStyles(theme),
  '& .toggle': {
    width: 24,
    height: 24,
    flexShrink: 0,
    display: 'grid',
    placeItems: 'center',
    border: 0,
    padding: 0,
    borderRadius: 4,
    background: 'none',
    color: theme.palette.text.secondary,
    cursor: 'pointer',
    transition: theme.transitions.create('transform', { duration: theme.transitions.duration.shortest }),
  },
  '& .toggle svg': { width: 18, height: 18, fill: 'currentcolor' },
  '& .toggle[data-open="true"]': { transform: 'rotate(90deg)' },
  '[dir="rtl"] & .toggle:not([data-open="true"])': { transform: 'scaleX(-1)' },
  '& .key': {
    color: meaningColor(theme, 'key'),
    fontWeight: 600,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    flexShrink: 1,
    minWidth: '4ch',
  },
  '& .cell': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(0.5),
    minWidth: '6ch',
    flexShrink: 0,
    maxWidth: '55%',
  },
  '& .value': { overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0, flexShrink: 3 },
  // Otherwise a long value, which is written from left to right, would lose its beginning instead of its end.
  '[dir="rtl"] & .value:has(> bdi)': { display: 'flex', columnGap: theme.spacing(0.5) },
  '[dir="rtl"] & .value > bdi': { overflow: 'hidden', textOverflow: 'ellipsis', minWidth: 0 },
  '& .string': { color: meaningColor(theme, 'string') },
  '& .number': { color: meaningColor(theme, 'number') },
  '& .boolean': { color: meaningColor(theme, 'boolean') },
  '& .aside': { color: theme.palette.text.secondary, fontFamily: theme.typography.fontFamily, flexShrink: 0 },
  '& .preview': {
    color: theme.palette.text.secondary,
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    minWidth: 0,
  },
  '& .priority': {
    fontFamily: theme.typography.fontFamily,
    color: theme.palette.text.secondary,
    flexShrink: 0,
  },
  '& .space': { flex: 1 },
  '& .acts': {
    display: 'flex',
    position: 'sticky',
    insetInlineEnd: 0,
    opacity: 0,
  },
  '& .row:hover .acts, & .row.active .acts': { opacity: 1 },
  '@media (hover: none)': { '& .acts': { opacity: 1 } },
  '& .act': {
    width: 28,
    height: 26,
    display: 'grid',
    placeItems: 'center',
    border: 0,
    padding: 0,
    borderRadius: 4,
    background: 'none',
    color: theme.palette.text.secondary,
    cursor: 'pointer',
  },
  '& .act:hover': { background: theme.palette.action.focus, color: theme.palette.text.primary },
  '& .act svg': { width: 18, height: 18, fill: 'currentcolor' },
  '& .unread': {
    display: 'block',
    height: '0.6em',
    width: '14ch',
    borderRadius: 4,
    background: theme.palette.action.hover,
  },
}));

interface TreeViewProps {
  readonly label: string;
  readonly rows: TreeRows;
  readonly model: TreeModel;
  readonly rowHeightPx: number;
  readonly selection: TreeSelection;
  readonly actions: TreeActions;
  readonly mayChange: boolean;
  /** Whether the view follows the end of the children. */
  readonly isTail: boolean;
  readonly leaveTail: () => void;
  readonly editor: { readonly path: NodePath; readonly view: ReactNode } | null;
}

/** Draws the visible rows of a tree, and handles mouse and keyboard. */
export function TreeView(props: TreeViewProps) {
  const { label, rows, model, rowHeightPx, selection, actions, mayChange, isTail, leaveTail, editor } = props;
  const id = useId();
  const lineId = (path: NodePath): string => `${id}${encodeURIComponent(path)}`;
  const scroller = useRef<HTMLDivElement>(null);
  const scroll = useRowScroll(scroller, rows.total, rowHeightPx);
  const shown = useRowWindow(scroller, scroll, rows.total, rowHeightPx);
  useScrollAnchor({ scroller, scroll, rows, rowHeightPx, isTail, leaveTail });
  useLayoutEffect(() => model.show(shown.first, shown.end), [model, shown.first, shown.end]);
  const moves = useTreeMoves({ rows, model, selection, scroller, scroll, rowHeightPx });
  const { active, activeIndex, moveTo, toggle } = moves;

  function openMenuAt(row: NodeRow, element: Element | null): void {
    const box = element?.getBoundingClientRect();
    if (box !== undefined) actions.openMenu(row, { left: box.left + box.width / 3, top: box.bottom });
  }
  function onClick(event: MouseEvent<HTMLDivElement>): void {
    const hit = findHit(rows, event);
    if (hit === undefined) return;
    const { row, act, element } = hit;
    if (act === 'toggle') {
      toggle(row);
      return;
    }
    selection.activate(
      row.path,
      event.shiftKey ? 'extend' : event.ctrlKey || event.metaKey ? 'toggle' : 'move',
    );
    if (act === 'menu') openMenuAt(row, element);
    else if (act === 'edit') actions.edit(row);
    else if (act === 'add') actions.add(row);
  }
  function onDoubleClick(event: MouseEvent<HTMLDivElement>): void {
    const hit = findHit(rows, event);
    if (hit === undefined) return;
    if (hit.row.node.kind === 'object') {
      if (hit.act === 'key') actions.enter(hit.row.path);
    } else if (mayChange && editor?.path !== hit.row.path) actions.edit(hit.row);
  }
  function onContextMenu(event: MouseEvent<HTMLDivElement>): void {
    const hit = findHit(rows, event);
    if (hit === undefined) return;
    event.preventDefault();
    selection.activate(hit.row.path, selection.paths.has(hit.row.path) ? 'keep' : 'move');
    actions.openMenu(hit.row, { left: event.clientX, top: event.clientY });
  }

  const edited = editor === null ? -1 : findIndex(rows, editor.path);
  const lines: ReactNode[] = [];
  for (const index of linesToDraw(shown, edited)) {
    const row = findRow(rows, index);
    if (row === undefined) continue;
    lines.push(
      <TreeLine
        key={idOfRow(row)}
        id={lineId}
        row={row}
        index={index}
        topPx={scroll.topOf(index)}
        rowHeightPx={rowHeightPx}
        selection={selection}
        mayChange={mayChange}
        editor={editor}
        retry={() => model.refresh()}
      />,
    );
  }
  return (
    <TreeGrid
      ref={scroller}
      role="treegrid"
      aria-label={label}
      aria-rowcount={rows.total}
      aria-colcount={2}
      aria-multiselectable
      aria-activedescendant={
        active !== undefined && activeIndex >= shown.first && activeIndex < shown.end
          ? lineId(active.path)
          : undefined
      }
      tabIndex={0}
      onKeyDown={(event) =>
        takeTreeKey(event, {
          rows,
          moves,
          selection,
          actions,
          mayChange,
          onScreen: linesIn(scroller.current, rowHeightPx),
          openMenu: (row) => openMenuAt(row, document.getElementById(lineId(row.path))),
        })
      }
      onClick={onClick}
      onDoubleClick={onDoubleClick}
      onContextMenu={onContextMenu}
      onFocus={(event) => {
        if (event.target === event.currentTarget && activeIndex < 0)
          moveTo(shown.first === 0 ? 0 : shown.first + 8);
      }}
    >
      <Box role="presentation" sx={{ position: 'relative' }} style={{ height: scroll.contentPx }}>
        {lines}
      </Box>
    </TreeGrid>
  );
}

/** Returns the indexes of the visible rows and of the edited row, which must stay mounted to keep the focus. */
function linesToDraw({ first, end }: RowWindow, edited: number): readonly number[] {
  const onScreen = Array.from({ length: end - first }, (_, line) => first + line);
  if (edited < 0 || (edited >= first && edited < end)) return onScreen;
  return edited < first ? [edited, ...onScreen] : [...onScreen, edited];
}
