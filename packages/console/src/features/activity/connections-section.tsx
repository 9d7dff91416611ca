import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { CodeText } from '../../elements/code-text.tsx';
import { EmptyState } from '../../elements/empty-state.tsx';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { PlainTable } from '../../elements/plain-table.tsx';
import { printBytes } from '../../elements/print-bytes.ts';
import { TimeText } from '../../elements/time-text.tsx';
import { accountAddress } from '../../routes/addresses.ts';
import type { Connection } from '../../server/activity.ts';
import { useProjectId } from '../../session/session.ts';
import { ConnectionDialog } from './connection-dialog.tsx';
import { useConnections } from './use-connections.ts';

interface ConnectionsSectionProps {
  readonly database: string;
}

/** Who is connected to a database. */
export function ConnectionsSection({ database }: ConnectionsSectionProps) {
  const { t, i18n } = useTranslation('activity');
  const { connections, hasMore, isLoadingMore, loadMore, open, chosen } = useConnections(database);
  const count = new Intl.NumberFormat(i18n.language);
  return (
    <>
      <Loaded of={connections}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('connections.none')}>{t('connections.noneHint')}</EmptyState>
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

/** Whom a connection speaks for. */
function Who({ identity }: Connection) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  if (identity.kind !== 'user') return t(`identity.${identity.kind}`);
  if (identity.uid === undefined || identity.uid === null) return t('identity.user');
  return (
    <Link component={RouterLink} to={accountAddress(project, identity.uid)}>
      <ForeignText text={identity.uid} isCode />
    </Link>
  );
}

/** What program it is, as far as it says so, and how it is connected. */
function Client({ sdk, userAgent, transport }: Connection) {
  const { t } = useTranslation('activity');
  const name = sdk ?? (userAgent === '' ? t('connections.unknownClient') : userAgent);
  return (
    <>
      <ForeignText text={name} isCode /> · {t(`transport.${transport}`)}
    </>
  );
}
