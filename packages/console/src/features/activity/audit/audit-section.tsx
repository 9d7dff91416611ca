import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import { useInfiniteQuery } from '@tanstack/react-query';
import { lazy, Suspense, useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type AuditEntry, readAudit } from '../../../api/audit.ts';
import { type Loadable, loadableOf } from '../../../api/query-state.ts';
import { useApi, useProjectId, useRights } from '../../../session/session.ts';
import { CopyButton, saveFile } from '../../../ui/copy-and-save.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { EntrySource, EntryText } from './entry-text.tsx';
import { AuditFilters } from './filters.tsx';
import { parseAuditSearch } from './search.ts';
import { useAuditWords } from './words.ts';

const PAGE = 100;

/** Loaded on demand, with the texts of the undo. */
const UndoEntry = lazy(async () => ({ default: (await import('./undo.tsx')).UndoEntry }));

interface Audit {
  readonly entries: Loadable<readonly AuditEntry[]>;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

/** Loads the audit entries of the project that match the address, page by page, latest first. */
function useAudit(search: URLSearchParams): Audit {
  const api = useApi();
  const project = useProjectId();
  const query = useInfiniteQuery({
    queryKey: ['audit', project, search.toString()],
    queryFn: ({ pageParam }) =>
      readAudit(api, project, parseAuditSearch(search, Date.now()), pageParam ?? undefined, PAGE),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  });
  return {
    entries: loadableOf(query),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
}

/** Lists entries of the audit log. Each can be copied, and undone if it is a change that can be undone. */
function AuditTable({ entries }: AuditTableProps) {
  const { t } = useTranslation('activity');
  const { t: audit } = useTranslation('audit');
  const { nameOf, actorOf } = useAuditWords();
  const { mayChange } = useRights();
  return (
    <PlainTable
      label={t('section.audit')}
      head={[
        t('audit.time'),
        audit('what'),
        t('audit.actor'),
        audit('from'),
        t('audit.result'),
        t('actions'),
      ]}
      rows={entries.map((entry) => {
        const { id, timeMs, event, actor, result, count, subject } = entry;
        return {
          key: id,
          cells: [
            <TimeText key="time" ms={timeMs} />,
            <EntryText key="text" entry={entry} />,
            <UntrustedText key="actor" text={actorOf(actor)} />,
            <EntrySource key="source" entry={entry} />,
            <Chip
              key="result"
              size="small"
              variant="outlined"
              color={result === 'ok' ? 'success' : 'error'}
              label={result === 'ok' ? audit('ok') : result}
            />,
            <Box key="actions" sx={{ display: 'flex', alignItems: 'center', justifyContent: 'end' }}>
              {mayChange && subject?.change !== undefined && count === 1 && (
                <Suspense>
                  <UndoEntry
                    database={subject.database}
                    change={subject.change}
                    text={audit('undo')}
                    label={`${audit('undo')}: ${nameOf(event)}, ${audit('change', { id: subject.change })}`}
                  />
                </Suspense>
              )}
              <CopyButton
                text={JSON.stringify(entry, null, 2)}
                label={`${t('audit.copy')}: ${event}, ${id}`}
              />
            </Box>,
          ],
        };
      })}
    />
  );
}

/** Shows the audit log of the project. */
export function AuditSection() {
  const { t } = useTranslation('activity');
  const [search, setSearch] = useSearchParams();
  const { entries, hasMore, isLoadingMore, loadMore } = useAudit(search);
  const change = useCallback(
    (name: string, value: string): void => {
      setSearch(
        (before) => {
          const next = new URLSearchParams(before);
          if (value === '') next.delete(name);
          else next.set(name, value);
          return next;
        },
        { replace: true },
      );
    },
    [setSearch],
  );
  return (
    <>
      <AuditFilters search={search} change={change} />
      <Loaded of={entries}>
        {(list) => (
          <>
            {list.length === 0 ? (
              <EmptyState title={t(hasMore ? 'audit.noneYet' : 'audit.none')}>
                {t('audit.noneHint')}
              </EmptyState>
            ) : (
              <AuditTable entries={list} />
            )}
            <Box sx={{ display: 'flex', gap: 2, justifyContent: 'center' }}>
              {hasMore && (
                <Button onClick={loadMore} loading={isLoadingMore}>
                  {t('more')}
                </Button>
              )}
              {list.length > 0 && (
                <Button
                  onClick={() =>
                    saveFile(
                      'audit.ndjson',
                      'application/x-ndjson',
                      list.map((entry) => `${JSON.stringify(entry)}\n`).join(''),
                    )
                  }
                >
                  {t('audit.save', { count: list.length })}
                </Button>
              )}
            </Box>
          </>
        )}
      </Loaded>
    </>
  );
}
