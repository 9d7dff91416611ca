import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { AUDIT_EVENTS, AUDIT_SERIES } from '../../../api/audit.ts';
import { useTypedText } from '../../../ui/interaction.ts';
import {
  AUDIT_FILTERS,
  type AuditFilterName,
  PERIODS,
  parseLocalTime,
  parseTime,
  periodOf,
  printLocalTime,
} from './search.ts';
import { useAuditWords } from './words.ts';

/** Delay after the last key press before a filter applies, in milliseconds. */
const SETTLED_MS = 300;

interface AuditFiltersProps {
  readonly search: URLSearchParams;
  /** Changes a parameter of the address; an empty text removes it. */
  readonly change: (name: string, value: string) => void;
}

/** Fields that filter the audit log. */
export function AuditFilters({ search, change }: AuditFiltersProps) {
  const { t } = useTranslation('audit');
  const { nameOf } = useAuditWords();
  const event = search.get('event') ?? '';
  const period = periodOf(search);
  const times = { since: search.get('since'), until: search.get('until') };
  return (
    <Box
      role="search"
      sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(10rem, 1fr))', gap: 1.5 }}
    >
      <TextField
        select
        label={t('range.label')}
        value={period}
        onChange={({ target }) => change('period', target.value === 'all' ? '' : target.value)}
      >
        {PERIODS.map((one) => (
          <MenuItem key={one} value={one}>
            {t(`range.${one}`)}
          </MenuItem>
        ))}
      </TextField>
      {period === 'custom' &&
        (['since', 'until'] as const).map((name) => (
          <TextField
            key={name}
            type="datetime-local"
            label={t(name)}
            defaultValue={printLocalTime(parseTime(times[name]))}
            onChange={({ target }) => change(name, String(parseLocalTime(target.value) ?? ''))}
            slotProps={{ inputLabel: { shrink: true } }}
          />
        ))}
      <TextField
        select
        label={t('series.label')}
        value={AUDIT_SERIES.find((series) => series === search.get('series')) ?? 'all'}
        onChange={({ target }) => change('series', target.value === 'all' ? '' : target.value)}
      >
        {(['all', ...AUDIT_SERIES] as const).map((series) => (
          <MenuItem key={series} value={series}>
            {t(`series.${series}`)}
          </MenuItem>
        ))}
      </TextField>
      <EventField event={event} nameOf={nameOf} change={(value) => change('event', value)} />
      {AUDIT_FILTERS.map((name) => (
        <FilterField
          key={name}
          name={name}
          value={search.get(name) ?? ''}
          change={(value) => change(name, value)}
        />
      ))}
    </Box>
  );
}

interface EventFieldProps {
  /** Names of events with commas between them. */
  readonly event: string;
  readonly nameOf: (event: string) => string;
  readonly change: (event: string) => void;
}

/** A field with the names of events in words. */
function EventField({ event, nameOf, change }: EventFieldProps) {
  const { t } = useTranslation('activity');
  const options: readonly string[] = AUDIT_EVENTS;
  return (
    <Autocomplete
      // The address may name events of other versions.
      options={[...new Set([...options, ...(event === '' ? [] : [event])])]}
      getOptionLabel={(names) => names.split(',').map(nameOf).join(', ')}
      value={event === '' ? null : event}
      onChange={(_event, value) => change(value ?? '')}
      renderInput={(params) => <TextField {...params} label={t('audit.event')} />}
    />
  );
}

interface FilterFieldProps {
  readonly name: AuditFilterName;
  readonly value: string;
  readonly change: (value: string) => void;
}

function FilterField({ name, value, change }: FilterFieldProps) {
  const { t } = useTranslation('activity');
  const [text, setText] = useTypedText(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => change(text.trim()), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text, value, change]);
  return (
    <TextField
      label={name === 'database' ? t('database') : t(`audit.${name}`)}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}
