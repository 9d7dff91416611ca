import type { QueryClient } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import type { ConsoleParameters } from '../api/session.ts';

export interface GateProps {
  readonly parameters: ConsoleParameters;
  readonly children: ReactNode;
}

/** Shows the console to members, and the sign-in to other users. */
export interface Gate {
  readonly Component: ComponentType<GateProps>;
  /** Loads the session if that needs no sign-in. Never rejects. */
  prepare(client: QueryClient): Promise<void>;
}
