import { useState } from 'react';

/** A text that is typed, and begins anew whenever what is given is another: at once, so that nothing typed meanwhile is lost. */
export function useTypedText(given: string): readonly [text: string, setText: (text: string) => void] {
  const [begun, setBegun] = useState(given);
  const [text, setText] = useState(given);
  if (begun !== given) {
    setBegun(given);
    setText(given);
  }
  return [text, setText];
}
