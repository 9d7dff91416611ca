import type { Language } from '@hearth/pages/shell/language.ts';
import type { Namespace } from './namespaces.ts';

type Texts = Readonly<Record<string, unknown>>;

const FILES = import.meta.glob<Texts>('./messages/*/*.json', { import: 'default' });

/** The texts of one area in one language; the browser loads them once. Rejects when they are not there. */
export async function loadTexts(language: Language, namespace: Namespace): Promise<Texts> {
  const load = FILES[`./messages/${language}/${namespace}.json`];
  if (load === undefined) throw new Error(`There are no texts ${namespace} in ${language}.`);
  return load();
}
