import { useEffect, useState } from 'react';

/** JSON as it was once it had not changed for some milliseconds. */
export function useLate<T>(value: T, pauseMs: number): T {
  const text = JSON.stringify(value);
  const [late, setLate] = useState({ text, value });
  useEffect(() => {
    const timer = setTimeout(() => setLate({ text, value: JSON.parse(text) as T }), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return late.value;
}
