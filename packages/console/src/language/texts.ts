import { chooseLanguage, directionOf, type Language } from '@hearth/pages/shell/document.ts';
import { readPreferences } from '../ui/preferences.ts';

/** Areas of the console, each with texts of its own that are loaded with it. */
export const NAMESPACES = [
  'shell',
  'member-sign-in',
  'overview',
  'data',
  'rules',
  'accounts',
  'sign-in',
  'activity',
  'project',
] as const;

export type Namespace = (typeof NAMESPACES)[number];

type Texts = Readonly<Record<string, unknown>>;

const FILES = import.meta.glob<Texts>('./messages/*/*.json', { import: 'default' });

/** The texts of one area in one language; the browser loads them once. Rejects when they are not there. */
export async function loadTexts(language: Language, namespace: Namespace): Promise<Texts> {
  const load = FILES[`./messages/${language}/${namespace}.json`];
  if (load === undefined) throw new Error(`No texts for ${namespace} in ${language}.`);
  return load();
}

/** The language that is preferred, by the preference or by the browser. */
export function preferredLanguage(): Language {
  return chooseLanguage([readPreferences().language ?? undefined, ...navigator.languages]);
}

/** Tells browsers and screen readers how the page is written. */
export function writeInto(page: HTMLElement, language: Language): void {
  page.lang = language;
  page.dir = directionOf(language);
}
