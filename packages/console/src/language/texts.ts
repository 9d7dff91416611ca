import { chooseLanguage, directionOf, type Language } from '@hearth/pages/shell/document.ts';
import { readPreferences } from '../ui/preferences.ts';

/** Namespaces of texts: one for each area of the console, and `audit` for entries of the audit log in several areas. Each is loaded when an area that needs it is first opened. */
export const NAMESPACES = [
  'shell',
  'member-sign-in',
  'overview',
  'data',
  'rules',
  'accounts',
  'sign-in',
  'activity',
  'audit',
  'project',
] as const;

export type Namespace = (typeof NAMESPACES)[number];

type Texts = Readonly<Record<string, unknown>>;

const FILES = import.meta.glob<Texts>('./messages/*/*.json', { import: 'default' });

/** Loads the texts of a namespace in a language; the browser loads a file once. Rejects if it is missing. */
export async function loadTexts(language: Language, namespace: Namespace): Promise<Texts> {
  const load = FILES[`./messages/${language}/${namespace}.json`];
  if (load === undefined) throw new Error(`No texts for ${namespace} in ${language}.`);
  return load();
}

/** Returns the language of the user's preference, or otherwise of the browser. */
export function preferredLanguage(): Language {
  return chooseLanguage([readPreferences().language ?? undefined, ...navigator.languages]);
}

/** Sets the language and text direction of the page for browsers and screen readers. */
export function setPageLanguage(page: HTMLElement, language: Language): void {
  page.lang = language;
  page.dir = directionOf(language);
}
