import type { Direction } from '@hearth/pages/shell/document.ts';
import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import { type ColorScheme, FONTS, PALETTES } from '@hearth/pages/shell/styles.ts';
import { createTheme, type Theme } from '@mui/material/styles';
import type { Density } from './preferences.ts';

/** Widths of the panels next to the content, in pixels. */
export const DRAWER_WIDTH_PX = 232;
export const SIDE_PANEL_WIDTH_PX = 420;

/** A row of buttons and fields. It reserves the height of one line, for deferred content. */
export const BAR = {
  display: 'flex',
  flexWrap: 'wrap',
  alignItems: 'center',
  gap: 1,
  minHeight: '2.5rem',
  flexShrink: 0,
} as const;

/** Durations of animations, in milliseconds; there are none with `prefers-reduced-motion`. */
export const MOTION = { quickMs: 120, defaultMs: 200, flashMs: 1_200 } as const;

/** Height of a data row, in pixels. */
export const ROW_HEIGHT_PX: Readonly<Record<Density, number>> = { comfortable: 36, compact: 28 };

/** Colors with a meaning in data, rules and charts. */
const MEANINGS = {
  light: {
    string: '#1d6b3a',
    number: '#1f4fb0',
    boolean: '#7a3e9d',
    key: '#842d06',
    flash: '#ffd9a8',
    staged: '#fff4d6',
    allow: '#1d6b3a',
    deny: '#b3261e',
  },
  dark: {
    string: '#82d69c',
    number: '#9dc1ff',
    boolean: '#dcb3f2',
    key: '#ffb48a',
    flash: '#664012',
    staged: '#3a2f14',
    allow: '#82d69c',
    deny: '#ffb4ab',
  },
} as const;

export type Meaning = keyof (typeof MEANINGS)['light'];

/** Returns the color of a meaning in the current theme. */
export function meaningColor(theme: Theme, meaning: Meaning): string {
  return MEANINGS[theme.palette.mode][meaning];
}

interface Palette {
  readonly scheme: ColorScheme;
  readonly direction: Direction;
  readonly density: Density;
}

/** Creates the theme of the console: colors, typography, spacing, sizes and animations. */
export function consoleTheme({ scheme, direction, density }: Palette): Theme {
  const isCompact = density === 'compact';
  const size = isCompact ? 'small' : 'medium';
  return createTheme({
    direction,
    palette: PALETTES[scheme],
    shape: { borderRadius: 8 },
    spacing: isCompact ? 6 : 8,
    transitions: {
      duration: {
        shortest: MOTION.quickMs,
        shorter: MOTION.quickMs,
        short: MOTION.defaultMs,
        standard: MOTION.defaultMs,
        complex: MOTION.defaultMs,
        enteringScreen: MOTION.defaultMs,
        leavingScreen: MOTION.quickMs,
      },
    },
    typography: {
      fontFamily: FONTS,
      fontSize: isCompact ? 13 : 14,
      h1: { fontSize: '1.375rem', fontWeight: 650, lineHeight: 1.3 },
      h2: { fontSize: '1.125rem', fontWeight: 650, lineHeight: 1.35 },
      h3: { fontSize: '1rem', fontWeight: 650, lineHeight: 1.4 },
      button: { fontWeight: 600, textTransform: 'none' },
    },
    components: {
      MuiCssBaseline: {
        styleOverrides: {
          ':root': { colorScheme: scheme },
          'html, body, #root': { height: '100%' },
          'code, pre, kbd': { fontFamily: MONOSPACE },
          '@media (prefers-reduced-motion: reduce)': {
            '*, *::before, *::after': {
              animation: 'none !important',
              transition: 'none !important',
              scrollBehavior: 'auto !important',
            },
          },
        },
      },
      MuiButton: { defaultProps: { size, disableElevation: true } },
      MuiButtonBase: {
        // A focus ring replaces the ripples, which the build leaves out.
        defaultProps: { disableRipple: true },
        styleOverrides: {
          root: ({ theme }) => ({
            '&.Mui-focusVisible': { outline: `2px solid ${theme.palette.primary.main}`, outlineOffset: 1 },
          }),
        },
      },
      MuiIconButton: { defaultProps: { size } },
      MuiTextField: { defaultProps: { size: 'small' } },
      MuiSelect: { defaultProps: { size: 'small' } },
      MuiTable: { defaultProps: { size: isCompact ? 'small' : 'medium' } },
      MuiTooltip: { defaultProps: { enterDelay: 500, arrow: true } },
      MuiAppBar: {
        defaultProps: { color: 'inherit', elevation: 0 },
        styleOverrides: { root: ({ theme }) => ({ backgroundColor: theme.palette.background.paper }) },
      },
    },
  });
}
