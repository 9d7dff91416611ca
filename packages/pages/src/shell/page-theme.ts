import { createTheme, type Theme } from '@mui/material/styles';
import type { AppLook } from './app-look.ts';
import type { Direction } from './document.ts';
import { type ColorScheme, FONTS, PALETTES } from './styles.ts';

/** Text on the color of an app. The server accepts only colors on which it has a contrast of at least 4.5 to 1. */
const TEXT_ON_COLOR = { light: '#ffffff', dark: PALETTES.dark.background.default } as const;

/** The radius of the corners of buttons and fields, in pixels, if the app has no other. */
export const USUAL_CORNER_RADIUS = 12;

function paletteOf(scheme: ColorScheme, look: AppLook | undefined) {
  const palette = PALETTES[scheme];
  const color = look?.colors[scheme];
  if (color === undefined) return palette;
  // Under the pointer, a button has even more contrast with its text.
  const dark = `color-mix(in srgb, ${color} 82%, ${scheme === 'light' ? 'black' : 'white'})`;
  return { ...palette, primary: { main: color, dark, contrastText: TEXT_ON_COLOR[scheme] } };
}

/** Creates the theme of the pages: colors, typography and spacing. */
export function pageTheme(scheme: ColorScheme, direction: Direction, look?: AppLook): Theme {
  return createTheme({
    direction,
    palette: paletteOf(scheme, look),
    shape: { borderRadius: look?.cornerRadius ?? USUAL_CORNER_RADIUS },
    typography: {
      fontFamily: FONTS,
      h1: { fontSize: '1.5rem', fontWeight: 650, lineHeight: 1.25 },
      body1: { lineHeight: 1.55 },
      button: { fontWeight: 600, textTransform: 'none', fontSize: '1rem' },
    },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          ':root': { colorScheme: scheme },
          '@media (prefers-reduced-motion: reduce)': {
            '*, *::before, *::after': { animation: 'none !important', transition: 'none !important' },
          },
        },
      },
      MuiOutlinedInput: {
        styleOverrides: {
          notchedOutline: ({ theme }) => ({ borderColor: theme.palette.grey[600] }),
        },
      },
      // A focus ring replaces the ripples, which the build leaves out.
      MuiButtonBase: {
        styleOverrides: {
          root: ({ theme }) => ({
            // Centers the text of links that look like buttons, if it wraps.
            textAlign: 'center',
            '&.Mui-focusVisible': { outline: `3px solid ${theme.palette.primary.main}`, outlineOffset: 2 },
          }),
        },
      },
    },
  });
}
