import { useEffect, useState } from 'react';
import type { Language } from './document.ts';

/**
 * Loads texts that few visits need. Returns undefined until they are loaded.
 * @param load the same function in every render
 */
export function useMessages<M>(load: (language: Language) => Promise<M>, language: Language): M | undefined {
  const [messages, setMessages] = useState<M | undefined>(undefined);
  useEffect(() => {
    let isWanted = true;
    void load(language).then((loaded) => {
      if (isWanted) setMessages(() => loaded);
    });
    return () => {
      isWanted = false;
    };
  }, [load, language]);
  return messages;
}
