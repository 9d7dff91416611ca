import type { EmotionCache } from '@emotion/cache';
import { CacheProvider, ThemeProvider } from '@emotion/react';
import CssBaseline from '@mui/material/CssBaseline';
import { type ReactNode, useMemo, useRef } from 'react';
import { type AppLook, AppLookContext } from './app-look.ts';
import type { Direction } from './document.ts';
import { pageTheme } from './page-theme.ts';
import { ShownScreenContext } from './shown-screen.ts';
import { useColorScheme } from './styles.ts';

interface PageRootProps {
  readonly styleCache: EmotionCache;
  readonly direction: Direction;
  /** Omitted for a page of no app. */
  readonly look?: AppLook | undefined;
  readonly children: ReactNode;
}

/**
 * Root of every page: styles, colors and direction. Uses the theme provider of Emotion, whose theme Material UI also reads.
 * The provider of Material UI would add CSS-variable themes, which are a tenth of the script.
 */
export function PageRoot({ styleCache, direction, look, children }: PageRootProps) {
  const scheme = useColorScheme();
  const shownScreen = useRef<string | undefined>(undefined);
  const theme = useMemo(() => pageTheme(scheme, direction, look), [scheme, direction, look]);
  return (
    <CacheProvider value={styleCache}>
      <ThemeProvider theme={theme}>
        <CssBaseline />
        <AppLookContext value={look}>
          <ShownScreenContext value={shownScreen}>{children}</ShownScreenContext>
        </AppLookContext>
      </ThemeProvider>
    </CacheProvider>
  );
}
