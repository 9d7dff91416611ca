import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { SmsCountry } from '../../../../api/sms.ts';
import { useRights } from '../../../../session/session.ts';
import { ConfirmDialog } from '../../../../ui/dialogs.tsx';
import { notify } from '../../../../ui/notices.tsx';
import { SectionCard } from '../../../../ui/sections.tsx';
import { Loaded } from '../../../../ui/states.tsx';
import { PlainTable } from '../../../../ui/tables.tsx';
import { UntrustedText } from '../../../../ui/text.tsx';
import { printDistance } from '../../../../ui/time-text.tsx';
import { useCountryName } from './countries.tsx';
import { useDeadSms, useResumeCountry, useSmsStatus } from './use-sms.ts';

/** Shows what happened to the text messages to each country, and those that failed. */
export function SmsStatisticsCards() {
  const { t, i18n } = useTranslation('sign-in');
  const status = useSmsStatus();
  const dead = useDeadSms();
  const ago = (ms: number): string => printDistance(ms - Date.now(), i18n.language);
  const print = (count: number): string => new Intl.NumberFormat(i18n.language).format(count);
  return (
    <>
      <SectionCard title={t('sms.sent')} about={t('sms.aboutSent')}>
        <Loaded of={status}>{({ countries }) => <CountryTable countries={countries} />}</Loaded>
      </SectionCard>
      <SectionCard title={t('sms.queue')} about={t('sms.aboutQueue')}>
        <Loaded of={status}>
          {({ waiting, lastFailure }) => (
            <>
              <Typography>{t('sms.waiting', { number: print(waiting) })}</Typography>
              {lastFailure !== undefined && (
                <Alert severity="warning">
                  {t('queue.failure', { time: ago(lastFailure.atMs) })}{' '}
                  <UntrustedText text={lastFailure.reason} isCode />
                </Alert>
              )}
            </>
          )}
        </Loaded>
        <Loaded of={dead}>
          {(messages) =>
            messages.length === 0 ? (
              <Typography color="textSecondary">{t('sms.noneDead')}</Typography>
            ) : (
              <PlainTable
                label={t('queue.dead')}
                head={[t('queue.to'), t('queue.time'), t('queue.attempts'), t('queue.reason')]}
                rows={messages.map(({ id, to, diedAtMs, attempts, reason }) => ({
                  key: id,
                  cells: [
                    <UntrustedText key="to" text={to} isCode />,
                    ago(diedAtMs),
                    print(attempts),
                    <UntrustedText key="reason" text={reason} isCode />,
                  ],
                }))}
              />
            )
          }
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
