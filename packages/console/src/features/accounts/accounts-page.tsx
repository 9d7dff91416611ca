import MoreIcon from '@mui/icons-material/MoreVert';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import MenuItem from '@mui/material/MenuItem';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams, useSearchParams } from 'react-router';
import { useRights } from '../../session/session.ts';
import { type Command, useCommands } from '../../shell/commands.ts';
import { LazyMenu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { Hint } from '../../ui/tooltip.tsx';
import { LoadedList } from './account-list.tsx';
import { BulkBar, useSelectionOfTenant } from './bulk-actions.tsx';
import { CreateAccountDialog } from './create-account-dialog.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { FilterChips } from './filter-chips.tsx';
import { ImportDialog } from './import-dialog.tsx';
import { ListToolbar, parseListView, SEARCH_FIELD_ID } from './list-toolbar.tsx';
import { AccountPage } from './one/account-page.tsx';
import { FoundList } from './search-results.tsx';
import { useAccountScope } from './use-accounts.ts';

interface MoreActionsProps {
  readonly commands: readonly Command[];
}

/** A button that opens a menu with further actions of the page. */
export function MoreActions({ commands }: MoreActionsProps) {
  const { t } = useTranslation();
  const menuId = useId();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  return (
    <>
      <Hint title={t('more')}>
        <IconButton
          aria-label={t('more')}
          aria-haspopup="menu"
          aria-expanded={anchor !== null}
          aria-controls={anchor === null ? undefined : menuId}
          onClick={(event) => setAnchor(event.currentTarget)}
        >
          <MoreIcon />
        </IconButton>
      </Hint>
      <LazyMenu id={menuId} label={t('more')} anchor={anchor} close={() => setAnchor(null)}>
        {commands.map(({ id, title, run }) => (
          <MenuItem
            key={id}
            onClick={() => {
              setAnchor(null);
              run();
            }}
          >
            {title}
          </MenuItem>
        ))}
      </LazyMenu>
    </>
  );
}

type DialogName = 'new' | 'import' | 'export';

/** The list of accounts, with search, bulk actions and the dialogs to create, import and export accounts. */
export function AccountListPage() {
  const { t } = useTranslation('accounts');
  const { mayChange } = useRights();
  const [parameters, setParameters] = useSearchParams();
  const view = parseListView(parameters);
  const { tenant } = useAccountScope();
  useSelectionOfTenant(tenant);
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
      <FilterChips chosen={view.filter} />
      {mayChange && <BulkBar />}
      {view.text === '' ? (
        <LoadedList
          key={`${tenant} ${JSON.stringify(view.filter)}`}
          order={view.order}
          chosen={view.filter}
        />
      ) : (
        <FoundList key={tenant} view={view} />
      )}
      {dialog === 'new' && mayChange && <CreateAccountDialog close={close} />}
      {dialog === 'import' && mayChange && <ImportDialog close={close} />}
      {dialog === 'export' && <ExportDialog close={close} />}
    </Page>
  );
}

/** Shows the account that the address names, or the list of accounts if it names none. */
export function AccountsPage() {
  const { uid } = useParams();
  const { tenant } = useAccountScope();
  return uid === undefined ? <AccountListPage /> : <AccountPage key={`${tenant ?? ''}/${uid}`} uid={uid} />;
}
