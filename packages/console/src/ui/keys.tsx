import Box from '@mui/material/Box';
import { MONOSPACE } from './theme.ts';

/**
 * Keys pressed together, such as `mod+k`, `shift+?` or `g d` for one after the other. `mod` is Cmd on machines of Apple
 * and Ctrl elsewhere. Parts are lower case, keys by their `KeyboardEvent.key`.
 */
export type Keys = string;

const IS_APPLE = /mac|iphone|ipad/i.test(navigator.platform);

/** The keys of an event in the form of `Keys`. */
export function keysOf(event: KeyboardEvent): Keys {
  const isMod = IS_APPLE ? event.metaKey : event.ctrlKey;
  const key = event.key.toLowerCase();
  // What shift makes of a key is in the key itself, but for letters and names.
  const isShifted = event.shiftKey && (/^[a-z]$/.test(key) || key.length > 1);
  return [
    ...(isMod ? ['mod'] : []),
    ...(event.altKey ? ['alt'] : []),
    ...(isShifted ? ['shift'] : []),
    key,
  ].join('+');
}

/** The keys as they are written on this machine's keyboard, one after the other. */
function printKeys(keys: Keys): readonly string[] {
  return keys.split(' ').map((stroke) =>
    stroke
      .split(/\+(?=.)/)
      .map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : capitalize(part)))
      .join(IS_APPLE ? '' : '+'),
  );
}

const NAMES: Readonly<Record<string, string>> = IS_APPLE
  ? { mod: '⌘', alt: '⌥', shift: '⇧', enter: '↩', escape: 'Esc' }
  : { mod: 'Ctrl', escape: 'Esc', delete: 'Del' };

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

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
