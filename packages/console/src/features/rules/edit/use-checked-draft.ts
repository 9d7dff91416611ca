import { useEffect, useState } from 'react';
import { type CheckedDraft, checkDraft } from './check-draft.ts';

/** How long nothing is typed before rules are checked, in milliseconds. */
const PAUSE_MS = 250;

export interface CheckedSource extends CheckedDraft {
  readonly source: string;
}

/** What is wrong with a draft, a moment after it was typed; `source` tells of which text it is told. */
export function useCheckedDraft(source: string): CheckedSource {
  const [checked, setChecked] = useState(() => ({ source, ...checkDraft(source) }));
  useEffect(() => {
    if (checked.source === source) return undefined;
    const timer = setTimeout(() => setChecked({ source, ...checkDraft(source) }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [source, checked.source]);
  return checked;
}
