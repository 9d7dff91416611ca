import { createTheme, type Theme } from '@mui/material/styles';
import type { Direction } from './language.ts';
import { type ColorScheme, FONTS, PALETTES } from './palette.ts';

/** Colours, type and spacing of all pages. */
export function pageTheme(scheme: ColorScheme, direction: Direction): Theme {
  return createTheme({
    direction,
    palette: PALETTES[scheme],
    shape: { borderRadius: 12 },
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
      // Instead of ripples, which are left out: one ring for whatever the keyboard is on.
      MuiButtonBase: {
        styleOverrides: {
          root: ({ theme }) => ({
            // What looks like a button and is a link would otherwise begin its lines at the edge.
            textAlign: 'center',
            '&.Mui-focusVisible': { outline: `3px solid ${theme.palette.primary.main}`, outlineOffset: 2 },
          }),
        },
      },
    },
  });
}
