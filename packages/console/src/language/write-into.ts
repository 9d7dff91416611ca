import { directionOf, type Language } from '@hearth/pages/shell/language.ts';

/** Tells browsers and screen readers how the page is written. */
export function writeInto(page: HTMLElement, language: Language): void {
  page.lang = language;
  page.dir = directionOf(language);
}
