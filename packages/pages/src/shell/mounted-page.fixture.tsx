import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import { directionOf, type Language } from './document.ts';
import { PageRoot } from './page-root.tsx';
import { openStyleCache } from './styles.ts';

/** Mounts a page as the entry script does. The page is removed when the test ends. */
export async function mountPage(language: Language, content: ReactNode): Promise<void> {
  const direction = directionOf(language);
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
  const element = document.body.appendChild(document.createElement('div'));
  const root = createRoot(element);
  onTestFinished(() => {
    root.unmount();
    element.remove();
  });
  root.render(
    <PageRoot styleCache={await openStyleCache(direction, undefined)} direction={direction}>
      {content}
    </PageRoot>,
  );
}
