import { create } from 'zustand';

/** What stands over the whole console, if anything: one at a time. */
export type OverlayKind = 'none' | 'palette' | 'help' | 'new-project';

interface Overlay {
  readonly kind: OverlayKind;
}

export const useOverlay = create<Overlay>()(() => ({ kind: 'none' }));

export function openOverlay(kind: Exclude<OverlayKind, 'none'>): void {
  useOverlay.setState({ kind });
}

export function closeOverlay(): void {
  useOverlay.setState({ kind: 'none' });
}
