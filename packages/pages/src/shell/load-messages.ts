import type { Language } from './document.ts';

/** Loaders of the files `<language>.ts` of a folder, by path: the result of `import.meta.glob`. */
type MessageFiles<M> = Readonly<Record<string, () => Promise<{ readonly MESSAGES: M }>>>;

/**
 * Returns a function that loads all texts of a page in a language. Each language is a separate file that is loaded on
 * demand.
 */
export function messageLoader<M>(files: MessageFiles<M>): (language: Language) => Promise<M> {
  return async (language) => {
    const load = files[`./${language}.ts`];
    if (load === undefined) throw new Error(`The page has no texts in ${language}.`);
    return (await load()).MESSAGES;
  };
}
