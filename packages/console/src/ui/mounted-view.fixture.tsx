import { CacheProvider } from '@emotion/react';
import { directionOf, type Language } from '@hearth/pages/shell/document.ts';
import { openStyleCache } from '@hearth/pages/shell/styles.ts';
import CssBaseline from '@mui/material/CssBaseline';
import { ThemeProvider } from '@mui/material/styles';
import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { I18nextProvider } from 'react-i18next';
import { MemoryRouter, Route, Routes } from 'react-router';
import { onTestFinished } from 'vitest';
import { openTexts } from '../language/i18n.ts';
import { NAMESPACES } from '../language/texts.ts';
import { consoleTheme } from './theme.ts';

/** The language and the color scheme in which a view is shown. */
export interface Display {
  readonly language: Language;
  readonly scheme: 'light' | 'dark';
}

export const ENGLISH: Display = { language: 'en', scheme: 'light' };

/** Shows a view of the project `demo` until the test ends; returns the element that contains it. */
export async function mountView(content: ReactNode, display = ENGLISH): Promise<HTMLElement> {
  const { language, scheme } = display;
  const direction = directionOf(language);
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  const [texts, styleCache] = await Promise.all([
    openTexts(language, NAMESPACES),
    openStyleCache(direction, undefined),
  ]);
  await texts.loadNamespaces(NAMESPACES);
  const container = document.body.appendChild(document.createElement('main'));
  const root = createRoot(container);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  root.render(
    <CacheProvider value={styleCache}>
      <ThemeProvider theme={consoleTheme({ scheme, direction, density: 'comfortable' })}>
        <CssBaseline />
        <I18nextProvider i18n={texts}>
          <MemoryRouter initialEntries={['/projects/demo']}>
            <Routes>
              <Route path="projects/:project" element={content} />
            </Routes>
          </MemoryRouter>
        </I18nextProvider>
      </ThemeProvider>
    </CacheProvider>,
  );
  return container;
}
