import type { EmotionCache } from '@emotion/cache';
import { CacheProvider, ThemeProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { createTheme, type Theme } from '@mui/material/styles';
import { type ReactNode, useMemo } from 'react';
import type { Direction } from './document.ts';
import { type ColorScheme, FONTS, PALETTES, useColorScheme } from './styles.ts';

/** Creates the theme of the pages: colors, typography and spacing. */
function pageTheme(scheme: ColorScheme, direction: Direction): Theme {
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

interface PageRootProps {
  readonly styleCache: EmotionCache;
  readonly direction: Direction;
  readonly children: ReactNode;
}

/**
 * Root of every page: styles, colors and direction. Uses the theme provider of Emotion, whose theme Material UI also reads.
 * The provider of Material UI would add CSS-variable themes, which are a tenth of the script.
 */
export function PageRoot({ styleCache, direction, children }: PageRootProps) {
  const scheme = useColorScheme();
  const theme = useMemo(() => pageTheme(scheme, direction), [scheme, direction]);
  return (
    <CacheProvider value={styleCache}>
      <ThemeProvider theme={theme}>
        <CssBaseline />
        {children}
      </ThemeProvider>
    </CacheProvider>
  );
}
