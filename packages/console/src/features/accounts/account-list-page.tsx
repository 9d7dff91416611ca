import Button from '@mui/material/Button';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { type Command, useCommands } from '../../commands/commands.ts';
import { Page } from '../../elements/page.tsx';
import { useRights } from '../../session/session.ts';
import { BulkBar } from './bulk-bar.tsx';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FoundList } from './found-list.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { ListToolbar, SEARCH_FIELD_ID } from './list-toolbar.tsx';
import { parseListView } from './list-view.ts';
import { LoadedList } from './loaded-list.tsx';
import { MoreActions } from './more-actions.tsx';

type DialogName = 'new' | 'import' | 'export';

/** Accounts to look for one, or to do something with many. */
export function AccountListPage() {
  const { t } = useTranslation('accounts');
  const { mayChange } = useRights();
  const [parameters, setParameters] = useSearchParams();
  const view = parseListView(parameters);
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
      {view.text === '' ? <LoadedList order={view.order} /> : <FoundList view={view} />}
      {dialog === 'new' && mayChange && <CreateAccountDialog close={close} />}
      {dialog === 'import' && mayChange && <ImportDialog close={close} />}
      {dialog === 'export' && <ExportDialog close={close} />}
    </Page>
  );
}
