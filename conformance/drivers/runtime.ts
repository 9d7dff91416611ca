import { inject, onTestFinished } from 'vitest';

/**
 * Records the origins that this runtime sends requests to until the running test ends: in a page those of everything
 * that the page loads, including scripts and frames; in Node those of `fetch`. Returns a function that returns the
 * sorted origins so far, without those of the test bed and of the page.
 */
export async function watchOrigins(): Promise<() => readonly string[]> {
  const seen = new Set<string>();
  const collect = typeof document === 'undefined' ? await watchFetch(seen) : watchPage(seen);
  return () => {
    collect();
    seen.delete(new URL(inject('testBedUrl')).origin);
    return [...seen].sort();
  };
}

async function watchFetch(seen: Set<string>): Promise<() => void> {
  const { subscribe, unsubscribe } = await import('node:diagnostics_channel');
  const record = (message: unknown) => {
    seen.add(String((message as { readonly request: { readonly origin: unknown } }).request.origin));
  };
  subscribe('undici:request:create', record);
  onTestFinished(() => {
    unsubscribe('undici:request:create', record);
  });
  return () => {};
}

function watchPage(seen: Set<string>): () => void {
  const record = (entries: PerformanceEntryList) => {
    for (const { name } of entries) seen.add(new URL(name, location.href).origin);
  };
  const observer = new PerformanceObserver((list) => record(list.getEntries()));
  observer.observe({ type: 'resource' });
  onTestFinished(() => observer.disconnect());
  return () => {
    record(observer.takeRecords());
    seen.delete(location.origin);
  };
}

/**
 * Gives this page its own value under a key of `localStorage`; pages of other suites would otherwise share the value
 * and could change it at any time. Returns functions that set the page's own value and that restore the shared one.
 */
export function ownStorageKey(key: string): {
  readonly set: (value: string | null) => void;
  readonly restore: () => void;
} {
  let own: string | null = null;
  const { getItem, setItem, removeItem } = Storage.prototype;
  Storage.prototype.getItem = function (this: Storage, name) {
    return name === key ? own : getItem.call(this, name);
  };
  Storage.prototype.setItem = function (this: Storage, name, value) {
    if (name === key) own = value;
    else setItem.call(this, name, value);
  };
  Storage.prototype.removeItem = function (this: Storage, name) {
    if (name === key) own = null;
    else removeItem.call(this, name);
  };
  return {
    set: (value) => {
      own = value;
    },
    restore: () => Object.assign(Storage.prototype, { getItem, setItem, removeItem }),
  };
}
