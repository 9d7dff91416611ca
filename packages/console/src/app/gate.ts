import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { ConsoleParameters } from '../api/session.ts';

export interface GateProps {
  readonly parameters: ConsoleParameters;
  readonly children: ReactNode;
}

/** Shows the console to whoever may see it, and to others how to get there. */
export interface Gate {
  readonly Component: ComponentType<GateProps>;
  /** Resolves once it is known who is there, or cannot be known yet. Never rejects. */
  prepare(client: QueryClient): Promise<void>;
}
