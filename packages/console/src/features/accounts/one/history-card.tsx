import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { listHistory } from '../../../api/account-security.ts';
import type { AuditEntry } from '../../../api/audit.ts';
import { isForbidden } from '../../../api/client.ts';
import type { Loadable } from '../../../api/query-state.ts';
import { useApi } from '../../../session/session.ts';
import { SectionCard } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { useAuditWords } from '../../activity/audit/words.ts';
import { deviceName, printTime } from '../account-text.tsx';
import { useAccountScope } from '../use-accounts.ts';

interface History {
  readonly entries: Loadable<readonly AuditEntry[]>;
  readonly isFetching: boolean;
  /** Fetches earlier entries; `null` if there are none. */
  readonly more: (() => void) | null;
}

/** Loads the audit entries of an account, latest first. */
function useHistory(uid: string): History {
  const api = useApi();
  const scope = useAccountScope();
  const query = useInfiniteQuery({
    queryKey: ['account', scope.project, scope.tenant ?? null, uid, 'history'],
    queryFn: ({ pageParam, signal }) => listHistory(api, scope, uid, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next,
  });
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = query;
  return {
    entries: entriesOf(),
    isFetching,
    more: hasNextPage ? () => void fetchNextPage() : null,
  };
  function entriesOf(): Loadable<readonly AuditEntry[]> {
    if (data !== undefined) return { kind: 'ready', data: data.pages.flatMap((page) => page.entries) };
    if (error === null) return { kind: 'loading' };
    if (isForbidden(error)) return { kind: 'forbidden', error };
    return { kind: 'failed', error, retry: () => void refetch() };
  }
}

/** Lists sign-ins to an account, including rejected ones, and changes of the account. */
export function HistoryCard({ uid }: { readonly uid: string }) {
  const { t, i18n } = useTranslation('accounts');
  const { nameOf, actorOf } = useAuditWords();
  const { entries, isFetching, more } = useHistory(uid);
  const row = ({ id, timeMs, event, result, detail, actor, address, userAgent }: AuditEntry) => ({
    key: id,
    cells: [
      printTime(timeMs, i18n.language),
      <UntrustedText key="event" text={nameOf(event)} />,
      result === 'ok' ? t('history.ok') : <UntrustedText key="result" text={result} isCode />,
      <UntrustedText key="detail" text={detail ?? ''} />,
      <UntrustedText
        key="who"
        text={[actorOf(actor), address, deviceName(userAgent) ?? '']
          .filter((part) => part !== '')
          .join(' · ')}
      />,
    ],
  });
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
