import { createTheme, type Theme } from '@mui/material/styles';
import type { Direction } from './language.ts';

export type ColorScheme = 'light' | 'dark';

/** Text on each background has a contrast of at least 4.5 to 1. */
const PALETTES = {
  light: {
    mode: 'light',
    primary: { main: '#a83c0c', dark: '#842d06', contrastText: '#ffffff' },
    success: { main: '#1d6b3a' },
    error: { main: '#b3261e' },
    background: { default: '#f7f2ee', paper: '#ffffff' },
    text: { primary: '#221a15', secondary: '#63564d' },
    divider: '#e6dcd4',
  },
  dark: {
    mode: 'dark',
    primary: { main: '#ffb48a', dark: '#ffcaac', contrastText: '#3b1500' },
    success: { main: '#82d69c' },
    error: { main: '#ffb4ab' },
    background: { default: '#15110e', paper: '#211b17' },
    text: { primary: '#f2e9e3', secondary: '#c6b8ae' },
    divider: '#40362f',
  },
} as const;

/** The fonts of the system: nothing is loaded, and every script has its own. */
const FONTS = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", Arial, sans-serif';

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
