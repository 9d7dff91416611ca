import { lazy, Suspense } from 'react';
import { useHinted } from './use-hinted.ts';

const HintBubble = lazy(async () => ({ default: (await import('./hint-bubble.tsx')).HintBubble }));

/** Shows the hint of whatever element somebody is with. */
export function Hints() {
  const hinted = useHinted();
  return <Suspense>{hinted !== null && <HintBubble element={hinted} />}</Suspense>;
}
