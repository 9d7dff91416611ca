import { MAIL_KINDS } from '@hearth/core/api/mail-kinds.ts';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { listDeadMails, readMailStatus } from '../../../api/settings.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { printDistance } from '../../../ui/time-text.tsx';
import { FailedMessages, LastFailure } from './failed-messages.tsx';
import { useQueue } from './use-queue.ts';

/** Kinds of emails in the queue: those that templates describe, and notices to the owners of the project. */
const QUEUED_KINDS = [...MAIL_KINDS, 'ownerNotice'] as const;

/** Shows the number of queued emails, and the emails that failed permanently. */
export function MailQueueCard() {
  const { t, i18n } = useTranslation('sign-in');
  const status = useQueue('mail', 'status', readMailStatus);
  const dead = useQueue('mail', 'dead', listDeadMails);
  function nameOf(kind: string): string {
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
              {oldestAtMs !== undefined &&
                ` · ${t('queue.oldest', { time: printDistance(oldestAtMs - Date.now(), i18n.language) })}`}
            </Typography>
            <LastFailure failure={lastFailure} />
          </>
        )}
      </Loaded>
      <Loaded of={dead}>
        {(messages) => <FailedMessages messages={messages} none={t('queue.noneDead')} nameOf={nameOf} />}
      </Loaded>
    </SectionCard>
  );
}
