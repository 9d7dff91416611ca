import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
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

/** A table for some dozens of rows; scrolls horizontally if it is too wide. */
export function PlainTable({ label, head, rows }: PlainTableProps) {
  return (
    // Focusable, so that keyboard users can scroll it.
    <TableContainer tabIndex={0} role="region" aria-label={label}>
      <Table aria-label={label}>
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

/** A grid of metrics. */
export function FigureGrid({ figures }: FigureGridProps) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(8.5rem, 1fr))',
        gap: 1.5,
        margin: 0,
      }}
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
