import { create } from 'zustand';

/** Something to tell in passing, at the edge of the page. */
export interface Notice {
  readonly id: number;
  readonly kind: 'done' | 'failed';
  /** A sentence in the language of the page. */
  readonly text: string;
  /** Takes back what was done; offered as long as the notice is there. */
  readonly undo?: () => void | Promise<void>;
}

interface Notices {
  /** `null` while nothing is told. */
  readonly shown: Notice | null;
}

let lastId = 0;

export const useNotices = create<Notices>()(() => ({ shown: null }));

/** Tells something at once, in the place of what was told before: what is offered there is about what was done last. */
export function tell(notice: Omit<Notice, 'id'>): void {
  lastId += 1;
  useNotices.setState({ shown: { ...notice, id: lastId } });
}

/** Takes a notice away; one that has taken its place stays. */
export function dismissNotice(id: number): void {
  useNotices.setState(({ shown }) => ({ shown: shown?.id === id ? null : shown }));
}
