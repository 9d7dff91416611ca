import type { Language } from '@hearth/pages/shell/language.ts';
import i18next, { type BackendModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Namespace } from './namespaces.ts';
import { loadTexts } from './text-files.ts';

/** Loads the texts of one area in one language when the first view asks for them. */
const FILES_BACKEND: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, callback) {
    // i18next passes on what it was given as a language and a namespace of this console.
    loadTexts(language as Language, namespace as Namespace).then(
      (texts) => callback(null, texts),
      (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
    );
  },
};

/** Texts of the console in a language, those of some areas loaded. */
export async function openTexts(language: Language, areas: readonly Namespace[]): Promise<i18n> {
  const texts = i18next.createInstance();
  await texts
    .use(FILES_BACKEND)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      defaultNS: 'shell' satisfies Namespace,
      ns: areas,
      // Not after a pause: what it needs is there.
      initAsync: false,
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  return texts;
}
