import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listDeadSms, readSmsStatus, type SmsCountry } from '../../../../api/sms.ts';
import { useRights } from '../../../../session/session.ts';
import { ConfirmDialog } from '../../../../ui/dialogs.tsx';
import { notify } from '../../../../ui/notices.tsx';
import { SectionCard } from '../../../../ui/sections.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { PlainTable } from '../../../../ui/tables.tsx';
import { printDistance } from '../../../../ui/time-text.tsx';
import { FailedMessages, LastFailure } from '../failed-messages.tsx';
import { useQueue } from '../use-queue.ts';
import { useCountryName } from './countries.tsx';
import { useResumeCountry } from './use-sms.ts';

/** Shows the numbers of sent, delivered and failed text messages by country, and the messages that failed. */
export function SmsStatisticsCards() {
  const { t, i18n } = useTranslation('sign-in');
  const status = useQueue('sms', 'status', readSmsStatus);
  const dead = useQueue('sms', 'dead', listDeadSms);
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <>
      <SectionCard title={t('sms.sent')} about={t('sms.aboutSent')}>
        <Loaded of={status}>{({ countries }) => <CountryTable countries={countries} />}</Loaded>
      </SectionCard>
      <SectionCard title={t('sms.queue')} about={t('sms.aboutQueue')}>
        <Loaded of={status}>
          {({ waiting, lastFailure, blocked }) => (
            <>
              {blocked !== null && blocked.count > 0 && (
                <Alert severity="warning">
                  {t('sms.blocked', { number: `${print(blocked.count)}${blocked.isExact ? '' : '+'}` })}
                </Alert>
              )}
              <Typography>{t('sms.waiting', { number: print(waiting) })}</Typography>
              <LastFailure failure={lastFailure} />
            </>
          )}
        </Loaded>
        <Loaded of={dead}>
          {(messages) => <FailedMessages messages={messages} none={t('sms.noneDead')} />}
        </Loaded>
      </SectionCard>
    </>
  );
}

interface CountryTableProps {
  readonly countries: readonly SmsCountry[];
}

function CountryTable({ countries }: CountryTableProps) {
  const { t, i18n } = useTranslation('sign-in');
  const { mayOwn } = useRights();
  const nameOf = useCountryName();
  const resume = useResumeCountry();
  const [resumed, setResumed] = useState<{ readonly country: string | null } | null>(null);
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  const share = (part: number, whole: number): string =>
    whole === 0
      ? '–'
      : new Intl.NumberFormat(i18n.language, { style: 'percent', maximumFractionDigits: 0 }).format(
          part / whole,
        );
  if (countries.length === 0) return <Typography color="textSecondary">{t('sms.noneSent')}</Typography>;
  return (
    <>
      <PlainTable
        label={t('phone.countries')}
        head={[
          t('sms.country'),
          t('sms.accepted24'),
          t('sms.delivered'),
          t('sms.failed'),
          t('sms.used'),
          t('sms.state'),
        ]}
        rows={countries.map(({ country, accepted, delivered, failed, used, pausedAtMs }) => ({
          key: country ?? '-',
          cells: [
            nameOf(country),
            print(accepted),
            print(delivered),
            print(failed),
            `${print(used)} (${share(used, accepted)})`,
            pausedAtMs === null ? (
              t('sms.sends')
            ) : (
              <>
                {t('sms.paused', { time: printDistance(pausedAtMs - Date.now(), i18n.language) })}{' '}
                {mayOwn && (
                  <Button
                    size="small"
                    aria-label={`${t('sms.resume')}: ${nameOf(country)}`}
                    onClick={() => setResumed({ country })}
                  >
                    {t('sms.resume')}
                  </Button>
                )}
              </>
            ),
          ],
        }))}
      />
      <ConfirmDialog
        isOpen={resumed !== null}
        title={t('sms.resumeTitle', { country: nameOf(resumed?.country ?? null) })}
        action={t('sms.resume')}
        close={() => setResumed(null)}
        run={async () => {
          if (resumed === null) return;
          await resume(resumed.country);
          notify({ kind: 'done', text: t('sms.resumed', { country: nameOf(resumed.country) }) });
        }}
      >
        {t('sms.resumeText')}
      </ConfirmDialog>
    </>
  );
}
