import Button from '@mui/material/Button';
import List from '@mui/material/List';
import ListItem from '@mui/material/ListItem';
import ListItemText from '@mui/material/ListItemText';
import Typography from '@mui/material/Typography';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AccountSession, endSession, listSessions } from '../../../api/account-security.ts';
import { endAllSessions } from '../../../api/accounts.ts';
import { type Loadable, loadableOf, useChanges } from '../../../api/query-state.ts';
import { useApi } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionCard } from '../../../ui/sections.tsx';
import { Loaded } from '../../../ui/states.tsx';
import { UntrustedText } from '../../../ui/text.tsx';
import { deviceName, printTime } from '../account-text.tsx';
import { useAccountRights, useAccountScope } from '../use-accounts.ts';

interface Sessions {
  readonly sessions: Loadable<readonly AccountSession[]>;
  end(session: string): Promise<void>;
  endAll(): Promise<void>;
}

/** Loads the sessions of an account. Also returns functions that end one or all of them, and reject with an `ApiError`. */
function useSessions(uid: string): Sessions {
  const api = useApi();
  const scope = useAccountScope();
  const change = useChanges(['account', scope.project, scope.tenant ?? null, uid]);
  return {
    sessions: loadableOf(
      useQuery({
        queryKey: ['account', scope.project, scope.tenant ?? null, uid, 'sessions'],
        queryFn: () => listSessions(api, scope, uid),
      }),
    ),
    end: (session) => change(() => endSession(api, scope, uid, session)),
    endAll: () => change(() => endAllSessions(api, scope, uid)),
  };
}

type Confirmation =
  | { readonly kind: 'one'; readonly session: AccountSession }
  | { readonly kind: 'all'; readonly count: number };

/** Lists the sessions of an account, and lets the member end one or all of them. */
export function SessionsCard({ uid }: { readonly uid: string }) {
  const { t, i18n } = useTranslation('accounts');
  const { mayChange } = useAccountRights(uid);
  const { sessions, end, endAll } = useSessions(uid);
  const [confirming, setConfirming] = useState<Confirmation>();
  const count = sessions.kind === 'ready' ? sessions.data.length : 0;
  async function run(): Promise<void> {
    if (confirming?.kind === 'one') await end(confirming.session.sessionId);
    else await endAll();
    notify({ kind: 'done', text: t('sessions.ended', { count: confirming?.kind === 'one' ? 1 : count }) });
  }
  return (
    <SectionCard
      title={t('sessions.title')}
      about={t('sessions.about')}
      actions={
        mayChange &&
        count > 0 && (
          <Button size="small" color="error" onClick={() => setConfirming({ kind: 'all', count })}>
            {t('sessions.endAll')}
          </Button>
        )
      }
    >
      <Loaded of={sessions}>
        {(list) =>
          list.length === 0 ? (
            <Typography color="textSecondary">{t('sessions.none')}</Typography>
          ) : (
            <List
              disablePadding
              dense
              sx={{ maxHeight: 320, overflow: 'auto' }}
              tabIndex={0}
              aria-label={t('sessions.title')}
            >
              {list.map((session) => (
                <ListItem
                  key={session.sessionId}
                  disableGutters
                  secondaryAction={
                    mayChange && (
                      <Button
                        size="small"
                        color="error"
                        onClick={() => setConfirming({ kind: 'one', session })}
                      >
                        {t('sessions.end')}
                      </Button>
                    )
                  }
                >
                  <ListItemText
                    primary={<UntrustedText text={deviceName(session.userAgent) ?? t('sessions.unknown')} />}
                    secondary={
                      <>
                        <bdi dir="ltr">{session.network}</bdi> ·{' '}
                        {t('sessions.since', { time: printTime(session.createdAt, i18n.language) })} ·{' '}
                        {t('sessions.used', { time: printTime(session.lastUsedAt, i18n.language) })}
                      </>
                    }
                  />
                </ListItem>
              ))}
            </List>
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={confirming !== undefined}
        title={
          confirming?.kind === 'all'
            ? t('sessions.endAllTitle', { count: confirming.count })
            : t('sessions.endTitle')
        }
        action={confirming?.kind === 'all' ? t('sessions.endAll') : t('sessions.end')}
        isDestructive
        run={run}
        close={() => setConfirming(undefined)}
      >
        {t(confirming?.kind === 'all' ? 'sessions.endAllText' : 'sessions.endText')}
      </ConfirmDialog>
    </SectionCard>
  );
}
