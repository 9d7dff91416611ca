import Button from '@mui/material/Button';
import Chip from '@mui/material/Chip';
import Link from '@mui/material/Link';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useSearchParams } from 'react-router';
import { type Connection, listConnections } from '../../api/activity.ts';
import { type Loadable, loadableOf } from '../../api/query-state.ts';
import { accountAddress } from '../../session/addresses.ts';
import { useApi, useProjectId } from '../../session/session.ts';
import { EmptyState, Loaded } from '../../ui/states.tsx';
import { PlainTable } from '../../ui/tables.tsx';
import { CodeText, printBytes, showControls, UntrustedText } from '../../ui/text.tsx';
import { TimeText } from '../../ui/time-text.tsx';
import { ConnectionDialog } from './connection-dialog.tsx';

const PAGE = 100;
/** Interval at which the list is loaded again, in milliseconds. */
const REFRESH_MS = 3_000;

interface Connections {
  readonly connections: Loadable<readonly Connection[]>;
  readonly hasMore: boolean;
  readonly isLoadingMore: boolean;
  loadMore(): void;
  /** The user whose connections are listed; `undefined` for all. */
  readonly uid: string | undefined;
  showAll(): void;
  /** ID of the connection in the address; its details are open. */
  readonly chosen: number | undefined;
  /** Shows the details of a connection; `undefined` closes them. */
  open(id: number | undefined): void;
}

/** Loads the connections of a database, and refreshes them every `REFRESH_MS`. */
function useConnections(database: string): Connections {
  const api = useApi();
  const [search, setSearch] = useSearchParams();
  const uid = search.get('uid') || undefined;
  const query = useInfiniteQuery({
    queryKey: ['connections', database, uid],
    queryFn: ({ pageParam }) => listConnections(api, database, pageParam ?? undefined, PAGE, uid),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
    refetchInterval: REFRESH_MS,
    select: ({ pages }) => pages.flatMap(({ connections }) => connections),
  });
  const chosen = Number(search.get('connection') ?? Number.NaN);
  return {
    connections: loadableOf(query),
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    loadMore: () => void query.fetchNextPage(),
    uid,
    showAll() {
      const next = new URLSearchParams(search);
      next.delete('uid');
      setSearch(next);
    },
    chosen: Number.isInteger(chosen) ? chosen : undefined,
    open(id) {
      const next = new URLSearchParams(search);
      if (id === undefined) next.delete('connection');
      else next.set('connection', String(id));
      setSearch(next);
    },
  };
}

interface ConnectionsSectionProps {
  readonly database: string;
}

/** Lists the connections of a database. */
export function ConnectionsSection({ database }: ConnectionsSectionProps) {
  const { t, i18n } = useTranslation('activity');
  const { connections, hasMore, isLoadingMore, loadMore, open, chosen, uid, showAll } =
    useConnections(database);
  const count = new Intl.NumberFormat(i18n.language);
  return (
    <>
      {uid !== undefined && (
        <Chip
          component="button"
          label={t('connections.ofUser', { uid: showControls(uid) })}
          aria-label={t('connections.showAll', { uid: showControls(uid) })}
          onClick={showAll}
          onDelete={showAll}
          sx={{ alignSelf: 'flex-start', maxWidth: '100%' }}
        />
      )}
      <Loaded of={connections}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t(uid === undefined ? 'connections.none' : 'connections.noneOfUser')}>
              {t('connections.noneHint')}
            </EmptyState>
          ) : (
            <PlainTable
              label={t('section.connections')}
              head={[
                t('connections.who'),
                t('connections.client'),
                t('connections.address'),
                t('connections.since'),
                t('connections.listens'),
                t('connections.pending'),
                t('connections.traffic'),
                t('actions'),
              ]}
              rows={list.map((connection) => ({
                key: String(connection.id),
                cells: [
                  <Who key="who" {...connection} />,
                  <Client key="client" {...connection} />,
                  <CodeText key="address">{connection.address}</CodeText>,
                  <TimeText key="since" ms={connection.sinceMs} />,
                  count.format(connection.listens),
                  count.format(connection.pendingDisconnects),
                  t('connections.bytes', {
                    sent: printBytes(connection.sentBytes, i18n.language),
                    received: printBytes(connection.receivedBytes, i18n.language),
                  }),
                  <Button
                    key="open"
                    size="small"
                    aria-label={`${t('connections.details')}: ${connection.id}`}
                    onClick={() => open(connection.id)}
                  >
                    {t('connections.details')}
                  </Button>,
                ],
              }))}
            />
          )
        }
      </Loaded>
      {hasMore && (
        <Button onClick={loadMore} loading={isLoadingMore} sx={{ alignSelf: 'center' }}>
          {t('more')}
        </Button>
      )}
      <ConnectionDialog database={database} id={chosen} close={() => open(undefined)} />
    </>
  );
}

/** Shows the principal of a connection. */
function Who({ identity }: Connection) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  if (identity.kind !== 'user') return t(`identity.${identity.kind}`);
  if (identity.uid === undefined || identity.uid === null) return t('identity.user');
  return (
    <Link component={RouterLink} to={accountAddress({ project }, identity.uid)}>
      <UntrustedText text={identity.uid} isCode />
    </Link>
  );
}

/** Shows the SDK or the user agent of a client, and its transport. */
function Client({ sdk, userAgent, transport }: Connection) {
  const { t } = useTranslation('activity');
  const name = sdk ?? (userAgent === '' ? t('connections.unknownClient') : userAgent);
  return (
    <>
      <UntrustedText text={name} isCode /> · {t(`transport.${transport}`)}
    </>
  );
}
