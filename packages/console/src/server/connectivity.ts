import { create } from 'zustand';

/** Whether the server answers: told by every request, and the one source for whatever depends on it. */
export type Connectivity =
  | { readonly kind: 'online' }
  | { readonly kind: 'offline'; readonly sinceMs: number };

const ONLINE: Connectivity = { kind: 'online' };

export const useConnectivity = create<Connectivity>()(() => ONLINE);

export function tellAnswered(): void {
  if (useConnectivity.getState().kind === 'offline') useConnectivity.setState(ONLINE, true);
}

export function tellUnanswered(nowMs = Date.now()): void {
  if (useConnectivity.getState().kind === 'online')
    useConnectivity.setState({ kind: 'offline', sinceMs: nowMs }, true);
}
