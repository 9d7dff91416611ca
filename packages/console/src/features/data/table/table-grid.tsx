import { styled } from '@mui/material/styles';
import { MONOSPACE, MOTION, meaningColor } from '../../../theme.ts';
import { stageStyles } from '../staged/stage-styles.ts';

/** Width of a column, in pixels. */
export const COLUMN_PX = 190;

/** What the rows of the table are drawn in. */
export const TableGrid = styled('div')(({ theme }) => ({
  flex: 1,
  minHeight: 0,
  overflow: 'auto',
  position: 'relative',
  overflowAnchor: 'none',
  border: `1px solid ${theme.palette.divider}`,
  borderRadius: theme.shape.borderRadius,
  background: theme.palette.background.paper,
  fontFamily: MONOSPACE,
  fontSize: theme.typography.body2.fontSize,
  '&:focus-visible': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: -2 },
  '& .line': { display: 'flex', whiteSpace: 'nowrap' },
  '& .row': { position: 'absolute', insetInlineStart: 0 },
  '& .head': {
    position: 'sticky',
    insetBlockStart: 0,
    zIndex: 2,
    width: 'max-content',
    minWidth: '100%',
    background: theme.palette.background.paper,
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
    fontWeight: 600,
  },
  '& .cell': {
    width: COLUMN_PX,
    flexShrink: 0,
    display: 'flex',
    alignItems: 'center',
    paddingInline: theme.spacing(1),
    borderInlineEnd: `1px solid ${theme.palette.divider}`,
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
    overflow: 'hidden',
  },
  ...stageStyles(theme),
  '& .cell .sign': { marginInlineEnd: theme.spacing(0.5) },
  '& .row.gone': { animation: `gone ${MOTION.flashMs}ms ease-in forwards`, pointerEvents: 'none' },
  '@keyframes gone': {
    from: { backgroundColor: meaningColor(theme, 'flash'), opacity: 1 },
    to: { backgroundColor: 'transparent', opacity: 0 },
  },
  '& .cell bdi': { overflow: 'hidden', textOverflow: 'ellipsis' },
  '& .cell.edited': { width: 'auto', minWidth: 420 },
  '& .cell.selected': { background: theme.palette.action.selected },
  '& .cell.active': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: -2 },
  '& .key': {
    color: meaningColor(theme, 'key'),
    fontWeight: 600,
    position: 'sticky',
    insetInlineStart: 0,
    zIndex: 1,
    background: theme.palette.background.paper,
  },
  '& .string': { color: meaningColor(theme, 'string') },
  '& .number': { color: meaningColor(theme, 'number') },
  '& .boolean': { color: meaningColor(theme, 'boolean') },
  '& .aside': { color: theme.palette.text.secondary },
  '& .flash': { animation: `flash ${MOTION.flashMs}ms ease-out` },
  '@keyframes flash': {
    from: { backgroundColor: meaningColor(theme, 'flash') },
    to: { backgroundColor: 'transparent' },
  },
  // Texts could not be told from both.
  '& .flash .cell.selected': { animation: `select ${MOTION.flashMs}ms ease-out` },
  '@keyframes select': { from: { backgroundColor: 'transparent' } },
}));
