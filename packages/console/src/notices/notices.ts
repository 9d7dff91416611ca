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
  readonly waiting: readonly Notice[];
}

/** Notices that wait are shown one after the other; at most so many. */
const MAX_WAITING = 5;

let lastId = 0;

export const useNotices = create<Notices>()(() => ({ waiting: [] }));

/** Tells something. When too many wait, the oldest that is not on the screen goes unseen. */
export function tell(notice: Omit<Notice, 'id'>): void {
  lastId += 1;
  const id = lastId;
  useNotices.setState(({ waiting }) => {
    const [shown, ...others] = [...waiting, { ...notice, id }];
    return { waiting: shown === undefined ? [] : [shown, ...others.slice(-MAX_WAITING)] };
  });
}

export function dismissNotice(id: number): void {
  useNotices.setState(({ waiting }) => ({ waiting: waiting.filter((notice) => notice.id !== id) }));
}
