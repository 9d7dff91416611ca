import type { Language } from '../../shell/document.ts';
import type { Messages } from './messages.ts';

/** Each language is a separate file that is loaded on demand. */
const LOADERS: Readonly<Record<Language, () => Promise<Messages>>> = {
  en: async () => (await import('./en.ts')).EN,
  es: async () => (await import('./es.ts')).ES,
  fr: async () => (await import('./fr.ts')).FR,
  de: async () => (await import('./de.ts')).DE,
  pt: async () => (await import('./pt.ts')).PT,
  zh: async () => (await import('./zh.ts')).ZH,
  ja: async () => (await import('./ja.ts')).JA,
  ar: async () => (await import('./ar.ts')).AR,
};

export function loadMessages(language: Language): Promise<Messages> {
  return LOADERS[language]();
}
