import { CacheProvider } from '@emotion/react';
import { useColorScheme } from '@hearth/pages/shell/styles.ts';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import type { i18n } from 'i18next';
import { type ComponentType, Suspense, useMemo } from 'react';
import { I18nextProvider } from 'react-i18next';
import type { DataRouter } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import type { ConsoleParameters } from '../api/session.ts';
import { useLanguage, type Writing } from '../language/i18n.ts';
import { NoticeBar } from '../ui/notices.tsx';
import { LoadingBar } from '../ui/states.tsx';
import { consoleTheme } from '../ui/theme.ts';
import { Hints } from '../ui/tooltip.tsx';
import { usePreferences } from '../ui/use-preferences.ts';
import type { GateProps } from './gate.ts';

interface AppProps {
  readonly parameters: ConsoleParameters;
  readonly texts: i18n;
  /** The text direction and the style cache of the initial language. */
  readonly writing: Writing;
  readonly queryClient: QueryClient;
  readonly router: DataRouter;
  /** Provides the session. */
  readonly Gate: ComponentType<GateProps>;
}

/** The console: theme, language, session, and the view that the URL selects. */
export function App({ parameters, texts, writing, queryClient, router, Gate }: AppProps) {
  const { direction, styleCache } = useLanguage(texts, writing, parameters.styleNonce);
  const { theme: choice, density } = usePreferences();
  const system = useColorScheme();
  const scheme = choice === 'system' ? system : choice;
  const theme = useMemo(() => consoleTheme({ scheme, direction, density }), [scheme, direction, density]);
  return (
    <CacheProvider value={styleCache}>
      <ThemeProvider theme={theme}>
        <CssBaseline />
        <I18nextProvider i18n={texts}>
          <QueryClientProvider client={queryClient}>
            <Gate parameters={parameters}>
              <Suspense fallback={<LoadingBar />}>
                {/* Without transitions, a new address renders immediately, and the next key or click acts on it. */}
                <RouterProvider router={router} useTransitions={false} />
              </Suspense>
            </Gate>
            <NoticeBar />
            <Hints />
          </QueryClientProvider>
        </I18nextProvider>
      </ThemeProvider>
    </CacheProvider>
  );
}
