import Box from '@mui/material/Box';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { Hint } from './tooltip.tsx';

interface TimeTextProps {
  /** In milliseconds since 1970. */
  readonly ms: number;
}

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Interval at which relative times are printed again, in ms. */
const TICK_MS = 10_000;

const subscribers = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Calls `subscriber` every `TICK_MS`. All subscribers share one timer. Returns a function that stops the calls. */
function subscribeToTime(subscriber: () => void): () => void {
  subscribers.add(subscriber);
  timer ??= setInterval(() => {
    for (const notify of subscribers) notify();
  }, TICK_MS);
  return () => {
    subscribers.delete(subscriber);
    if (subscribers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns a time as exact text, and as text relative to now that is updated while it is shown. */
function useTimeTexts(ms: number): { readonly relative: string; readonly exact: string } {
  const { i18n } = useTranslation();
  useSyncExternalStore(subscribeToTime, () => Math.floor(Date.now() / TICK_MS));
  const exact = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' });
  return { relative: printDistance(ms - Date.now(), i18n.language), exact: exact.format(ms) };
}

/** Like `TimeText`, for a place within a link or a button, which must not contain another element with the focus. */
export function PlainTimeText({ ms }: TimeTextProps) {
  const { relative, exact } = useTimeTexts(ms);
  return (
    <time dateTime={new Date(ms).toISOString()} title={exact}>
      {relative}
    </time>
  );
}

/** Shows a time relative to now; the tooltip shows the exact time. */
export function TimeText({ ms }: TimeTextProps) {
  const { relative, exact } = useTimeTexts(ms);
  return (
    <Hint title={exact}>
      <Box
        component="time"
        tabIndex={0}
        dateTime={new Date(ms).toISOString()}
        aria-label={exact}
        sx={{ whiteSpace: 'nowrap' }}
      >
        {relative}
      </Box>
    </Hint>
  );
}

/** Formats a time difference, such as `3 hours ago` for -10,800,000. */
export function printDistance(distanceMs: number, language: string): string {
  const seconds = Math.round(distanceMs / 1_000);
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? (['second', 1] as const);
  return format.format(Math.trunc(seconds / length), unit);
}
