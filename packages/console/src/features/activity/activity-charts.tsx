import { HISTORY_RANGES } from '@hearth/core/api/activity.ts';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ChoiceButtons } from '../../ui/choice-buttons.tsx';
import { LiveSection } from './live.tsx';
import { PastActivity } from './past.tsx';

/** The periods of the charts. The first is the default. */
const CHART_RANGES = ['live', ...HISTORY_RANGES] as const;

/** Shows charts of a database: live, or of the period that the parameter `range` of the address names. */
export function ActivityCharts({ database }: { readonly database: string }) {
  const { t } = useTranslation('activity');
  const [search, setSearch] = useSearchParams();
  const range = CHART_RANGES.find((known) => known === search.get('range')) ?? 'live';
  return (
    <>
      <Box sx={{ display: 'flex' }}>
        <ChoiceButtons
          label={t('range.label')}
          choices={CHART_RANGES.map((id) => ({ id, title: t(`range.${id}`) }))}
          chosen={range}
          choose={(chosen) =>
            setSearch((before) => {
              const after = new URLSearchParams(before);
              if (chosen === 'live') after.delete('range');
              else after.set('range', chosen);
              return after;
            })
          }
        />
      </Box>
      {range === 'live' ? (
        <LiveSection database={database} />
      ) : (
        <PastActivity database={database} range={range} />
      )}
    </>
  );
}
