import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { DeadMail, MailStatus } from '../../../api/settings.ts';
import { PlainTable } from '../../../ui/tables.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { printDistance } from '../../../ui/time-text.tsx';

/** Warns about the last failed attempt to send a message, if there was one. */
export function LastFailure({ failure }: { readonly failure: MailStatus['lastFailure'] }) {
  const { t, i18n } = useTranslation('sign-in');
  if (failure === undefined) return null;
  const time = printDistance(failure.atMs - Date.now(), i18n.language);
  return (
    <Alert severity="warning">
      {t('queue.failure', { time })} <UntrustedText text={failure.reason} isCode />
    </Alert>
  );
}

interface FailedMessagesProps {
  readonly messages: readonly DeadMail[];
  /** Shown if no message failed. */
  readonly none: string;
  /** Returns the name of a kind of messages, for the first column. Without it, the table has no such column. */
  readonly nameOf?: (kind: string) => string;
}

/** Lists the messages that failed permanently. */
export function FailedMessages({ messages, none, nameOf }: FailedMessagesProps) {
  const { t, i18n } = useTranslation('sign-in');
  if (messages.length === 0) return <Typography color="textSecondary">{none}</Typography>;
  const head = [t('queue.to'), t('queue.time'), t('queue.attempts'), t('queue.reason')];
  return (
    <PlainTable
      label={t('queue.dead')}
      head={nameOf === undefined ? head : [t('queue.mail'), ...head]}
      rows={messages.map(({ id, kind, to, diedAtMs, attempts, reason }) => ({
        key: id,
        cells: [
          ...(nameOf === undefined ? [] : [nameOf(kind)]),
          <UntrustedText key="to" text={to} isCode />,
          printDistance(diedAtMs - Date.now(), i18n.language),
          new Intl.NumberFormat(i18n.language).format(attempts),
          <UntrustedText key="reason" text={reason} isCode />,
        ],
      }))}
    />
  );
}
