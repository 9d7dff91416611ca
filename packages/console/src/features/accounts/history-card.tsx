import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { PlainTable } from '../../elements/plain-table.tsx';
import { SectionCard } from '../../elements/section-card.tsx';
import type { HistoryEntry } from '../../server/accounts-history.ts';
import { deviceName } from './device-name.ts';
import { HISTORY_EVENTS } from './history-events.ts';
import { printTime } from './print-date.ts';
import { useHistory } from './use-history.ts';

/** Sign-ins of an account, refused ones too, and changes of it. */
export function HistoryCard({ uid }: { readonly uid: string }) {
  const { t, i18n } = useTranslation('accounts');
  const { entries, isFetching, more } = useHistory(uid);
  const row = ({ id, timeMs, event, result, detail, actor, address, userAgent }: HistoryEntry) => ({
    key: id,
    cells: [
      printTime(timeMs, i18n.language),
      eventName(event),
      result === 'ok' ? t('history.ok') : <ForeignText key="result" text={result} isCode />,
      <ForeignText key="detail" text={detail ?? ''} />,
      <ForeignText
        key="who"
        text={[actor, address, deviceName(userAgent ?? '')].filter((part) => part != null).join(' · ')}
      />,
    ],
  });
  function eventName(event: string): React.ReactNode {
    const known = HISTORY_EVENTS.find((name) => name === event);
    return known === undefined ? <bdi dir="ltr">{event}</bdi> : t(`event.${known}`);
  }
  return (
    <SectionCard title={t('history.title')} about={t('history.about')}>
      <Loaded of={entries}>
        {(list) =>
          list.length === 0 ? (
            <Typography color="textSecondary">{t('history.none')}</Typography>
          ) : (
            <PlainTable
              label={t('history.about')}
              head={[
                t('history.time'),
                t('history.event'),
                t('history.result'),
                t('history.detail'),
                t('history.who'),
              ]}
              rows={list.map(row)}
            />
          )
        }
      </Loaded>
      {more !== null && (
        <Button loading={isFetching} onClick={more} sx={{ alignSelf: 'start' }}>
          {t('history.more')}
        </Button>
      )}
    </SectionCard>
  );
}
