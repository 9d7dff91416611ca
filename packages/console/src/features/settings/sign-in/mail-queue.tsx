import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { MAIL_KINDS } from '../../../api/settings.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { printDistance } from '../../../ui/time-text.tsx';
import { useMailQueue } from './use-mail.ts';

/** Kinds of emails in the queue: those that templates describe, and notices to the owners of the project. */
const QUEUED_KINDS = [...MAIL_KINDS, 'ownerNotice'] as const;

/** Shows the number of queued emails, and the emails that failed permanently. */
export function MailQueueCard() {
  const { t, i18n } = useTranslation('sign-in');
  const { status, dead } = useMailQueue();
  const ago = (ms: number): string => printDistance(ms - Date.now(), i18n.language);
  function mailName(kind: string): string {
    const known = QUEUED_KINDS.find((one) => one === kind);
    return known === undefined ? kind : t(`mail.${known}`);
  }
  return (
    <SectionCard title={t('queue.title')} about={t('queue.about')}>
      <Loaded of={status}>
        {({ waiting, oldestAtMs, lastFailure }) => (
          <>
            <Typography>
              {t('queue.waiting', { count: waiting })}
              {oldestAtMs !== undefined && ` · ${t('queue.oldest', { time: ago(oldestAtMs) })}`}
            </Typography>
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
        {(mails) =>
          mails.length === 0 ? (
            <Typography color="textSecondary">{t('queue.noneDead')}</Typography>
          ) : (
            <PlainTable
              label={t('queue.dead')}
              head={[t('queue.mail'), t('queue.to'), t('queue.time'), t('queue.attempts'), t('queue.reason')]}
              rows={mails.map(({ id, kind, to, diedAtMs, attempts, reason }) => ({
                key: id,
                cells: [
                  mailName(kind),
                  <UntrustedText key="to" text={to} isCode />,
                  ago(diedAtMs),
                  new Intl.NumberFormat(i18n.language).format(attempts),
                  <UntrustedText key="reason" text={reason} isCode />,
                ],
              }))}
            />
          )
        }
      </Loaded>
    </SectionCard>
  );
}
