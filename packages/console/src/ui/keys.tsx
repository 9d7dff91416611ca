import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';

/**
 * A shortcut such as `mod+k` or `shift+?`, or a sequence such as `g d`. `mod` is Cmd on Apple devices and Ctrl elsewhere.
 * Parts are lowercase; keys are named by `KeyboardEvent.key`.
 */
export type Keys = string;

const IS_APPLE = /mac|iphone|ipad/i.test(navigator.platform);

/** Returns the keys of an event as `Keys`. */
export function keysOf(event: KeyboardEvent): Keys {
  const isMod = IS_APPLE ? event.metaKey : event.ctrlKey;
  const key = event.key.toLowerCase();
  // Except for letters and named keys, `key` already includes the effect of Shift.
  const isShifted = event.shiftKey && (/^[a-z]$/.test(key) || key.length > 1);
  return [
    ...(isMod ? ['mod'] : []),
    ...(event.altKey ? ['alt'] : []),
    ...(isShifted ? ['shift'] : []),
    key,
  ].join('+');
}

/** Returns the labels of the keys on this device, one for each step of a sequence. */
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

/** Shows the labels of a shortcut. */
export function KeysText({ keys }: KeysTextProps) {
  return (
    <Box component="span" dir="ltr" sx={{ display: 'inline-flex', gap: 0.5, flexShrink: 0 }}>
      {printKeys(keys).map((stroke, index) => (
        <Box
          // A key may occur twice.
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a sequence have no identity other than their position
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
