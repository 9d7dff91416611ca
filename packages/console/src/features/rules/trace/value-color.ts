import type { Theme } from '@mui/material/styles';
import type { StepValue } from '../../../server/rules-trace.ts';
import { meaningColor } from '../../../theme.ts';

/** The colour of what an expression came to: green for true, red for false and errors, grey for other values. */
export function valueColor(theme: Theme, value: StepValue): string {
  if (value.kind === 'error') return meaningColor(theme, 'deny');
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean') return theme.palette.text.secondary;
  return meaningColor(theme, value.value ? 'allow' : 'deny');
}
