import { useEffect, useState } from 'react';

/** Delay in ms after typing before a preview updates, so that not every letter causes a request. */
export const PREVIEW_PAUSE_MS = 300;

/** Returns the latest JSON value that has not changed for `pauseMs`. */
export function useDebounced<T>(value: T, pauseMs: number): T {
  const text = JSON.stringify(value);
  const [late, setLate] = useState({ text, value });
  useEffect(() => {
    const timer = setTimeout(() => setLate({ text, value: JSON.parse(text) as T }), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return late.value;
}
