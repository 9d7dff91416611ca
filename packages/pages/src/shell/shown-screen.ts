import { createContext, type RefObject } from 'react';

/** The screen that the page has shown last; undefined before the first one. Survives the replacement of its components. */
export const ShownScreenContext = createContext<RefObject<string | undefined>>({ current: undefined });
