import Autocomplete from '@mui/material/Autocomplete';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import TextField from '@mui/material/TextField';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { AUDIT_EVENTS, type AuditEntry, readAudit } from '../../api/audit.ts';
import { type Loadable, loadableOf } from '../../api/query-state.ts';
import { accountAddress } from '../../session/addresses.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { CopyButton, saveFile } from '../../ui/copy-and-save.tsx';
import { useTypedText } from '../../ui/interaction.ts';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { PlainTable } from '../../ui/tables.tsx';
import { CodeText, UntrustedText } from '../../ui/text.tsx';
import { TimeText } from '../../ui/time-text.tsx';

const PAGE = 100;

/** The filters in the address; an empty text matches everything. */
const AUDIT_FILTERS = ['event', 'result', 'uid', 'actor', 'requestId'] as const;
export type AuditFilterName = (typeof AUDIT_FILTERS)[number];
export type AuditFilterValues = Readonly<Record<AuditFilterName, string>>;

interface Audit {
  readonly entries: Loadable<readonly AuditEntry[]>;
  readonly filter: AuditFilterValues;
  changeFilter(name: AuditFilterName, value: string): void;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
}

/** Loads the audit entries of the project that match the filters in the address, page by page, latest first. */
function useAudit(): Audit {
  const api = useApi();
  const project = useProjectId();
  const [search, setSearch] = useSearchParams();
  const textOf = (name: AuditFilterName): string => search.get(name) ?? '';
  const filter = {
    event: textOf('event'),
    result: textOf('result'),
    uid: textOf('uid'),
    actor: textOf('actor'),
    requestId: textOf('requestId'),
  };
  const query = useInfiniteQuery({
    queryKey: ['audit', project, filter],
    queryFn: ({ pageParam }) => readAudit(api, project, nonEmptyOf(filter), pageParam ?? undefined, PAGE),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    select: ({ pages }) => pages.flatMap(({ entries }) => entries),
  });
  return {
    entries: loadableOf(query),
    filter,
    changeFilter(name, value) {
      const next = new URLSearchParams(search);
      if (value === '') next.delete(name);
      else next.set(name, value);
      setSearch(next, { replace: true });
    },
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
  };
}

function nonEmptyOf(filter: AuditFilterValues): Partial<AuditFilterValues> {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
}

/** Delay after the last key press before a filter applies, in milliseconds. */
const SETTLED_MS = 300;

interface AuditFiltersProps {
  readonly filter: AuditFilterValues;
  change(name: AuditFilterName, value: string): void;
}

/** Fields that filter the audit log. */
function AuditFilters({ filter, change }: AuditFiltersProps) {
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

interface AuditTableProps {
  readonly entries: readonly AuditEntry[];
}

/** Lists entries of the audit log, each with a button that copies it. */
function AuditTable({ entries }: AuditTableProps) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  return (
    <PlainTable
      label={t('section.audit')}
      head={[
        t('audit.time'),
        t('audit.event'),
        t('audit.result'),
        t('audit.uid'),
        t('audit.actor'),
        t('audit.address'),
        t('audit.detail'),
        t('actions'),
      ]}
      rows={entries.map((entry) => ({
        key: entry.id,
        cells: [
          <TimeText key="time" ms={entry.timeMs} />,
          <Box key="event" sx={{ whiteSpace: 'nowrap' }}>
            <CodeText>{entry.event}</CodeText>
            {entry.count > 1 && (
              <Chip size="small" label={t('audit.times', { count: entry.count })} sx={{ ml: 1 }} />
            )}
          </Box>,
          <Chip
            key="result"
            size="small"
            variant="outlined"
            color={entry.result === 'ok' ? 'success' : 'error'}
            label={entry.result}
          />,
          entry.uid !== null && (
            <Link key="account" component={RouterLink} to={accountAddress(project, entry.uid)}>
              <UntrustedText text={entry.uid} isCode />
            </Link>
          ),
          <UntrustedText key="actor" text={entry.actor} />,
          <CodeText key="address">{entry.address}</CodeText>,
          entry.detail !== null && <UntrustedText key="detail" text={entry.detail} />,
          <CopyButton
            key="copy"
            text={JSON.stringify(entry, null, 2)}
            label={`${t('audit.copy')}: ${entry.event}, ${entry.id}`}
          />,
        ],
      }))}
    />
  );
}

/** Shows the audit log of the project. */
export function AuditSection() {
  const { t } = useTranslation('activity');
  const { entries, filter, changeFilter, hasMore, isLoadingMore, loadMore } = useAudit();
  return (
    <>
      <AuditFilters filter={filter} change={changeFilter} />
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
