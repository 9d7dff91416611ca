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
  /** What it is a table of. */
  readonly label: string;
  /** Headings; a column that is `false` in every row and here is left out. */
  readonly head: readonly (string | false)[];
  readonly rows: readonly { readonly key: string; readonly cells: readonly ReactNode[] }[];
}

/** A table of some dozens of rows, scrolled sideways where it is too wide. */
export function PlainTable({ label, head, rows }: PlainTableProps) {
  return (
    // Whoever has no mouse scrolls what has the focus.
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
    /** What it counts. */
    readonly name: string;
    /** With its unit. */
    readonly text: string;
  }[];
}

/** Figures side by side, as many as there is room for. */
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
