import Table from '@mui/material/Table';
import TableBody from '@mui/material/TableBody';
import TableCell from '@mui/material/TableCell';
import TableContainer from '@mui/material/TableContainer';
import TableHead from '@mui/material/TableHead';
import TableRow from '@mui/material/TableRow';
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
