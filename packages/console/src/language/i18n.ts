import type { Language } from '@hearth/pages/shell/language.ts';
import i18next, { type BackendModule, type i18n } from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Namespace } from './namespaces.ts';

type Messages = Readonly<Record<string, unknown>>;

const FILES = import.meta.glob<Messages>('./messages/*/*.json', { import: 'default' });

/** Loads the texts of one area in one language when the first view asks for them. */
const FILES_BACKEND: BackendModule = {
  type: 'backend',
  init() {},
  read(language, namespace, callback) {
    const load = FILES[`./messages/${language}/${namespace}.json`];
    if (load === undefined) callback(new Error(`There are no texts ${namespace} in ${language}.`), null);
    else
      load().then(
        (messages) => callback(null, messages),
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), null),
      );
  },
};

/** Texts of the console in a language, those of the frame loaded. */
export async function openTexts(language: Language): Promise<i18n> {
  const texts = i18next.createInstance();
  await texts
    .use(FILES_BACKEND)
    .use(initReactI18next)
    .init({
      lng: language,
      fallbackLng: false,
      defaultNS: 'shell' satisfies Namespace,
      ns: ['shell' satisfies Namespace],
      // React escapes what it shows.
      interpolation: { escapeValue: false },
      returnNull: false,
    });
  return texts;
}
