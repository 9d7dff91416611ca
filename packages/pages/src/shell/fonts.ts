import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url';
import code from '@fontsource-variable/source-code-pro/files/source-code-pro-latin-wght-normal.woff2?url';
import arabic from '@fontsource-variable/vazirmatn/files/vazirmatn-arabic-wght-normal.woff2?url';
import type { Language } from './document.ts';
import './fonts.css';

/**
 * Requests the fonts of a language, and that of code if the page begins with code, so that the page has them when it shows its
 * first text. A font that arrives later is only used by the next page, from the cache. The browser requests other fonts,
 * such as that of letters with rare accents, when a text needs them.
 */
export function preloadFonts(language: Language, { hasCode = false } = {}): void {
  const files = [latin, ...(language === 'ar' ? [arabic] : []), ...(hasCode ? [code] : [])];
  document.head.append(...files.map(preloadLink));
}

function preloadLink(href: string): HTMLLinkElement {
  const link = document.createElement('link');
  // Browsers request fonts without credentials, and reuse a preloaded file only if it was requested in the same way.
  Object.assign(link, { rel: 'preload', as: 'font', type: 'font/woff2', crossOrigin: 'anonymous', href });
  return link;
}
