import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import { alpha, type Theme } from '@mui/material/styles';
import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';

interface PlainTableProps {
  /** Accessible name of the table. */
  readonly label: string;
  /** Column headings; `false` hides the column. */
  readonly head: readonly (string | false)[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** Width of the shadow at an edge beyond which a table continues, in pixels. */
const SHADOW_PX = 14;

/**
 * Returns styles that shade the edges of a scrolling area beyond which its content continues. At each end of the content, a
 * cover in the color of the background scrolls along, and hides the shadow when that end is reached.
 */
function scrollShadows(theme: Theme) {
  const { paper } = theme.palette.background;
  const shadow = alpha(theme.palette.text.primary, 0.25);
  const layers = (['left', 'right'] as const).map((side) => {
    const inwards = side === 'left' ? 'to right' : 'to left';
    return {
      cover: `linear-gradient(${inwards}, ${paper} 50%, ${alpha(paper, 0)}) ${side} / ${3 * SHADOW_PX}px 100% no-repeat local`,
      shade: `linear-gradient(${inwards}, ${shadow}, ${alpha(shadow, 0)}) ${side} / ${SHADOW_PX}px 100% no-repeat scroll`,
    };
  });
  const images = [...layers.map(({ cover }) => cover), ...layers.map(({ shade }) => shade)];
  return { background: `${images.join(', ')}, ${paper}` };
}

/** A table for some dozens of rows; scrolls horizontally if it is too wide. */
export function PlainTable({ label, head, rows }: PlainTableProps) {
  return (
    // Focusable, so that keyboard users can scroll it.
    <TableContainer
      component={Paper}
      variant="outlined"
      tabIndex={0}
      role="region"
      aria-label={label}
      sx={(theme) => ({ ...scrollShadows(theme), scrollbarWidth: 'thin' })}
    >
      <Table
        aria-label={label}
        sx={{
          '& th, & td': { borderColor: 'divider', paddingInline: 1.25 },
          '& tbody tr:last-of-type td': { borderBottom: 0 },
        }}
      >
        <TableHead>
          <TableRow>
            {head.map((title) => title !== false && <TableCell key={title}>{title}</TableCell>)}
          </TableRow>
        </TableHead>
        <TableBody>
          {rows.map(({ key, cells }) => (
            <TableRow key={key} hover>
              {head.map(
                (title, column) => title !== false && <TableCell key={title}>{cells[column]}</TableCell>,
              )}
            </TableRow>
          ))}
        </TableBody>
      </Table>
    </TableContainer>
  );
}

interface FigureGridProps {
  readonly figures: readonly {
    /** The name of the metric. */
    readonly name: string;
    /** The value with its unit. */
    readonly text: string;
  }[];
}

/** Minimum width of a metric, for a value with its unit. */
const MIN_FIGURE = '8.5rem';

/** Space between metrics, in units of the theme. */
const GAP = 1.5;

/** Maximum number of metrics in a row. */
const MAX_FIGURES = 6;

/** A grid of metrics. If they do not fit into one row, the rows have the same length. */
export function FigureGrid({ figures }: FigureGridProps) {
  const columns = Math.ceil(figures.length / Math.ceil(figures.length / MAX_FIGURES));
  return (
    <Box
      component="dl"
      sx={(theme) => ({
        display: 'grid',
        gridTemplateColumns: `repeat(auto-fill, minmax(max(${MIN_FIGURE}, (100% - ${columns - 1} * ${theme.spacing(GAP)}) / ${columns}), 1fr))`,
        gap: GAP,
        margin: 0,
      })}
    >
      {figures.map(({ name, text }) => (
        <Paper key={name} variant="outlined" sx={{ padding: 1.5 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography
            component="dd"
            sx={{ margin: 0, fontSize: '1.25rem', fontVariantNumeric: 'tabular-nums' }}
          >
            {text}
          </Typography>
        </Paper>
      ))}
    </Box>
  );
}
