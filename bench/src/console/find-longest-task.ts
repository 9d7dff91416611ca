/**
 * The longest task of a page within `durationMs` from now, in milliseconds; browsers tell only of those of 50 and more, so 0
 * when there was none. Runs in the page, so it uses nothing of this file.
 */
export function findLongestTask(durationMs: number): Promise<number> {
  return new Promise((resolve) => {
    let longestMs = 0;
    const keep = (entries: readonly PerformanceEntry[]): void => {
      for (const { duration } of entries) longestMs = Math.max(longestMs, duration);
    };
    const observer = new PerformanceObserver((list) => keep(list.getEntries()));
    observer.observe({ type: 'longtask' });
    setTimeout(() => {
      keep(observer.takeRecords());
      observer.disconnect();
      resolve(longestMs);
    }, durationMs);
  });
}
