import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import TextField from '@mui/material/TextField';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useTypedText } from '../../elements/use-typed-text.ts';
import { AUDIT_EVENTS } from './audit-events.ts';
import { AUDIT_FILTERS, type AuditFilterName, type AuditFilterValues } from './use-audit.ts';

/** So long after the last stroke a filter counts. */
const SETTLED_MS = 300;

interface AuditFiltersProps {
  readonly filter: AuditFilterValues;
  change(name: AuditFilterName, value: string): void;
}

/** What entries of the audit must have to be shown. */
export function AuditFilters({ filter, change }: AuditFiltersProps) {
  const { t } = useTranslation('activity');
  return (
    <Box
      role="search"
      sx={{ display: 'grid', gridTemplateColumns: 'repeat(auto-fit, minmax(10rem, 1fr))', gap: 1.5 }}
    >
      {AUDIT_FILTERS.map((name) =>
        name === 'event' ? (
          <Autocomplete
            key={name}
            freeSolo
            options={AUDIT_EVENTS}
            value={filter.event}
            onChange={(_event, value) => change('event', value ?? '')}
            renderInput={(params) => <TextField {...params} label={t('audit.event')} />}
          />
        ) : (
          <FilterField
            key={name}
            label={t(`audit.${name}`)}
            value={filter[name]}
            change={(value) => change(name, value)}
          />
        ),
      )}
    </Box>
  );
}

interface FilterFieldProps {
  readonly label: string;
  readonly value: string;
  change(value: string): void;
}

function FilterField({ label, value, change }: FilterFieldProps) {
  const [text, setText] = useTypedText(value);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => change(text.trim()), SETTLED_MS);
    return () => clearTimeout(timer);
  }, [text, value, change]);
  return <TextField label={label} value={text} onChange={({ target }) => setText(target.value)} />;
}
