import type { EmotionCache } from '@emotion/cache';
import { CacheProvider, ThemeProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { type ReactNode, useMemo } from 'react';
import type { Direction } from './language.ts';
import { pageTheme } from './theme.ts';
import { useColorScheme } from './use-color-scheme.ts';

interface PageRootProps {
  readonly styleCache: EmotionCache;
  readonly direction: Direction;
  readonly children: ReactNode;
}

/**
 * What every page stands in: styles, colours, direction. The provider is Emotion's own, which Material UI reads the theme
 * from too; that of Material UI adds switching of themes made of CSS variables, for a tenth of all script.
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
