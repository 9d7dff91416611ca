import Box from '@mui/material/Box';
import { MONOSPACE } from '../theme.ts';
import { type Keys, printKeys } from './keys.ts';

interface KeysTextProps {
  readonly keys: Keys;
}

/** Keys as they are written on the keyboard, one after the other. */
export function KeysText({ keys }: KeysTextProps) {
  return (
    <Box component="span" dir="ltr" sx={{ display: 'inline-flex', gap: 0.5, flexShrink: 0 }}>
      {printKeys(keys).map((stroke, index) => (
        <Box
          // A stroke may come twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: strokes have no other identity than their place
          key={index}
          component="kbd"
          sx={{
            fontFamily: MONOSPACE,
            fontSize: '0.75rem',
            lineHeight: 1.5,
            paddingInline: 0.75,
            border: 1,
            borderColor: 'currentColor',
            borderRadius: 0.5,
            opacity: 0.85,
          }}
        >
          {stroke}
        </Box>
      ))}
    </Box>
  );
}
