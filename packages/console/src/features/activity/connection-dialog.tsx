import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { type ConnectionDetail, endConnection, readConnection } from '../../api/activity.ts';
import { loadableOf } from '../../api/query-state.ts';
import { dataAddress } from '../../session/addresses.ts';
import { useApi, useProjectId, useRights } from '../../session/session.ts';
import { ConfirmDialog } from '../../ui/dialogs.tsx';
import { notify } from '../../ui/notices.tsx';
import { Loaded } from '../../ui/states.tsx';
import { UntrustedText } from '../../ui/text.tsx';

interface ConnectionDialogProps {
  readonly database: string;
  /** `undefined` closes the dialog. */
  readonly id: number | undefined;
  close(): void;
}

/** Shows the listens of a connection, and lets the member end the connection. */
export function ConnectionDialog({ database, id, close }: ConnectionDialogProps) {
  const { t } = useTranslation('activity');
  const titleId = useId();
  const api = useApi();
  const client = useQueryClient();
  const { mayChange } = useRights();
  const [isEnding, setIsEnding] = useState(false);
  const [shown, setShown] = useState(id);
  // While the dialog closes, it still shows the last connection.
  if (id !== undefined && shown !== id) setShown(id);
  const query = useQuery({
    queryKey: ['connection', database, shown],
    queryFn: () => readConnection(api, database, shown ?? 0),
    enabled: id !== undefined,
    retry: false,
  });
  return (
    <>
      <Dialog open={id !== undefined} onClose={close} aria-labelledby={titleId} maxWidth="md" fullWidth>
        <DialogTitle id={titleId}>{t('connections.one', { id: shown })}</DialogTitle>
        <DialogContent>
          <Loaded of={loadableOf(query)}>
            {(connection) => <Listens database={database} connection={connection} />}
          </Loaded>
        </DialogContent>
        <DialogActions>
          {mayChange && query.data !== undefined && (
            <Button color="error" onClick={() => setIsEnding(true)}>
              {t('connections.end')}
            </Button>
          )}
          <Button variant="contained" onClick={close}>
            {t('close')}
          </Button>
        </DialogActions>
      </Dialog>
      <ConfirmDialog
        isOpen={isEnding}
        isDestructive
        title={t('connections.endTitle', { id: shown })}
        action={t('connections.end')}
        run={async () => {
          if (id === undefined) return;
          await endConnection(api, database, id);
          await client.invalidateQueries({ queryKey: ['connections', database] });
          notify({ kind: 'done', text: t('connections.ended') });
          close();
        }}
        close={() => setIsEnding(false)}
      >
        {t('connections.endText', { count: query.data?.pendingDisconnects ?? 0 })}
      </ConfirmDialog>
    </>
  );
}

function Listens({
  database,
  connection,
}: {
  readonly database: string;
  readonly connection: ConnectionDetail;
}) {
  const { t } = useTranslation('activity');
  const project = useProjectId();
  const { listening, listens, userAgent } = connection;
  return (
    <>
      {userAgent !== '' && (
        <Typography color="textSecondary">
          <UntrustedText text={userAgent} isCode />
        </Typography>
      )}
      <Typography variant="h3" sx={{ marginBlock: 1 }}>
        {t('connections.listening', { count: listens })}
      </Typography>
      <ul>
        {listening.map(({ path, query }) => (
          <li key={`${path}${JSON.stringify(query)}`}>
            <Link component={RouterLink} to={dataAddress(project, database, path)}>
              <UntrustedText text={path} isCode />
            </Link>{' '}
            {query !== null && <UntrustedText text={JSON.stringify(query)} isCode />}
          </li>
        ))}
      </ul>
      {listens > listening.length && <Typography>{t('connections.moreListens')}</Typography>}
    </>
  );
}
