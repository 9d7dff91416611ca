import Box from '@mui/material/Box';
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

/** Shows a time relative to now; the tooltip shows the exact time. */
export function TimeText({ ms }: TimeTextProps) {
  const { i18n } = useTranslation();
  const exact = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeStyle: 'medium' }).format(
    ms,
  );
  return (
    <Hint title={exact}>
      <Box
        component="time"
        tabIndex={0}
        dateTime={new Date(ms).toISOString()}
        aria-label={exact}
        sx={{ whiteSpace: 'nowrap' }}
      >
        {printDistance(ms - Date.now(), i18n.language)}
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
