import type { SystemStyleObject } from '@mui/system';

export type ColumnId = 'name' | 'providers' | 'created' | 'seen' | 'uid';

/** Columns of the list of accounts; phones have room for the first alone. */
export const COLUMNS: readonly { readonly id: ColumnId; readonly sx: SystemStyleObject }[] = [
  { id: 'name', sx: { minWidth: 0 } },
  { id: 'providers', sx: { display: { xs: 'none', sm: 'block' }, minWidth: 0 } },
  { id: 'created', sx: { display: { xs: 'none', md: 'block' } } },
  { id: 'seen', sx: { display: { xs: 'none', md: 'block' } } },
  { id: 'uid', sx: { display: { xs: 'none', lg: 'block' }, minWidth: 0 } },
];

/** How they share the width, with a box before them or without. */
export function gridColumns(canSelect: boolean): SystemStyleObject {
  const box = canSelect ? '40px ' : '';
  return {
    display: 'grid',
    alignItems: 'center',
    columnGap: 2,
    paddingInline: 1,
    gridTemplateColumns: {
      xs: `${box}1fr`,
      sm: `${box}2fr 1fr`,
      md: `${box}2.4fr 1.2fr 1fr 1fr`,
      lg: `${box}2.4fr 1.2fr 1fr 1fr 1.6fr`,
    },
  };
}
