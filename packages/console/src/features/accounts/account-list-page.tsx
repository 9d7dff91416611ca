import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Command, useCommands } from '../../commands/commands.ts';
import { Failure } from '../../elements/failure.tsx';
import { LoadingBar } from '../../elements/loading-bar.tsx';
import { Page } from '../../elements/page.tsx';
import { useRights } from '../../session/session.ts';
import { AccountGrid } from './account-grid.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { ListStatus } from './list-status.tsx';
import { ListToolbar, SEARCH_FIELD_ID } from './list-toolbar.tsx';
import { parseListView } from './list-view.ts';
import { MoreActions } from './more-actions.tsx';
import { NoAccounts } from './no-accounts.tsx';
import { useAccountList } from './use-account-list.ts';

type DialogName = 'new' | 'import' | 'export';

/** Accounts to look for one, or to do something with many. */
export function AccountListPage() {
  const { t } = useTranslation('accounts');
  const { mayChange } = useRights();
  const [parameters, setParameters] = useSearchParams();
  const view = parseListView(parameters);
  const list = useAccountList(view);
  const dialog = parameters.get('dialog');
  const commands = useMemo((): readonly Command[] => {
    const show = (name: DialogName) => () =>
      setParameters((before) => new URLSearchParams([...before, ['dialog', name]]));
    const all: readonly (Command | false)[] = [
      mayChange && {
        id: 'accounts.new',
        title: t('create.title'),
        group: t('title'),
        keys: 'n',
        run: show('new'),
      },
      mayChange && {
        id: 'accounts.import',
        title: t('import.title'),
        group: t('title'),
        run: show('import'),
      },
      { id: 'accounts.export', title: t('export.title'), group: t('title'), run: show('export') },
      {
        id: 'accounts.search',
        title: t('search.label'),
        group: t('title'),
        keys: '/',
        run: () => document.getElementById(SEARCH_FIELD_ID)?.focus(),
      },
    ];
    return all.filter((command) => command !== false);
  }, [mayChange, setParameters, t]);
  useCommands(commands);
  const close = (): void =>
    setParameters((before) => new URLSearchParams([...before].filter(([name]) => name !== 'dialog')));
  const create = commands.find(({ id }) => id === 'accounts.new');
  const actions = (
    <>
      {create !== undefined && (
        <Button variant="contained" onClick={create.run}>
          {create.title}
        </Button>
      )}
      <MoreActions
        commands={commands.filter(({ id }) => id === 'accounts.import' || id === 'accounts.export')}
      />
    </>
  );
  return (
    <Page title={t('title')} actions={actions}>
      <ListToolbar view={view} />
      {mayChange && <BulkBar />}
      {list.kind === 'loading' && <LoadingBar />}
      {list.kind === 'forbidden' && <Failure error={list.error} />}
      {list.kind === 'failed' && <Failure error={list.error} retry={list.retry} />}
      {list.kind === 'ready' && (
        <>
          {list.accounts.length > 0 && (
            <AccountGrid
              // Another view begins at its first row.
              key={`${view.order} ${view.text}`}
              accounts={list.accounts}
              canSelect={mayChange}
              more={view.text === '' ? list.more : null}
            />
          )}
          {list.accounts.length === 0 && !list.isFetching && list.more === null && (
            <NoAccounts isSearch={view.text !== ''} />
          )}
          <ListStatus view={view} list={list} />
        </>
      )}
      {dialog === 'new' && mayChange && <CreateAccountDialog close={close} />}
      {dialog === 'import' && mayChange && <ImportDialog close={close} />}
      {dialog === 'export' && <ExportDialog close={close} />}
    </Page>
  );
}
