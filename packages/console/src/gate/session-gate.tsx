import { lazy, type ReactNode, Suspense } from 'react';
import { LoadingBar } from '../elements/loading-bar.tsx';
import type { ConsoleParameters } from '../server/console-parameters.ts';
import { DevelopmentGate } from './development-gate.tsx';

/** Signing in needs the SDK, which development does without. */
const MemberGate = lazy(async () => ({ default: (await import('./member-gate.tsx')).MemberGate }));

interface SessionGateProps {
  readonly parameters: ConsoleParameters;
  readonly children: ReactNode;
}

/** Shows the console to whoever may see it, and to others how to get there. */
export function SessionGate({ parameters, children }: SessionGateProps) {
  if (parameters.mode === 'development')
    return <DevelopmentGate parameters={parameters}>{children}</DevelopmentGate>;
  return (
    <Suspense fallback={<LoadingBar />}>
      <MemberGate parameters={parameters}>{children}</MemberGate>
    </Suspense>
  );
}
