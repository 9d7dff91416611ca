import TreeIcon from '@mui/icons-material/AccountTreeOutlined';
import JsonIcon from '@mui/icons-material/DataObject';
import TableIcon from '@mui/icons-material/TableRowsOutlined';
import UploadIcon from '@mui/icons-material/Upload';
import Button from '@mui/material/Button';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import { lazy, Suspense, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRights } from '../../session/session.ts';
import { useCommands } from '../../shell/commands.ts';
import { Page } from '../../ui/page.tsx';
import { LoadingBar } from '../../ui/states.tsx';
import { Hint } from '../../ui/tooltip.tsx';
import { DataBar, usePathEdit } from './data-bar.tsx';
import { ImpersonationBar, ImpersonationProblem, ViewAs } from './impersonation/bar.tsx';
import { IMPERSONATED, useImpersonation } from './impersonation/model.ts';
import { type DataLocation, useDataLocation, VIEWS, type ViewKind } from './model/location.ts';
import { parentOf } from './model/node-path.ts';
import { NEW_QUERY, queryParameters, readQuery } from './query/node-query.ts';
import { SearchPanel } from './query/search.tsx';
import { StagingBar } from './staging/bar.tsx';
import { ExportButton, ICON_ON_PHONES } from './transfer/export-button.tsx';
import { DropTarget } from './transfer/file-import.tsx';
import { ImportDialog } from './transfer/import-dialog.tsx';
import { TreePanel } from './tree/panel.tsx';

/** Loaded when they are first opened, so that the tree does not wait for the SDK, the code editor and the table. */
const JsonPanel = lazy(async () => ({ default: (await import('./json/json-panel.tsx')).JsonPanel }));
const TablePanel = lazy(async () => ({ default: (await import('./table/table-panel.tsx')).TablePanel }));
const QueryPanel = lazy(async () => ({ default: (await import('./query/query-panel.tsx')).QueryPanel }));

const VIEW_ICONS = { tree: TreeIcon, table: TableIcon, json: JsonIcon } as const satisfies Record<
  ViewKind,
  unknown
>;

/** Shows the data of a database with the permissions of the principal that the address names. */
export function DataPage() {
  const location = useDataLocation();
  return (
    <ViewAs location={location}>
      <DataViews location={location} />
    </ViewAs>
  );
}

/** Shows a node as a tree, a table or JSON, or the results of a search or query. */
function DataViews({ location }: { readonly location: DataLocation }) {
  const { t } = useTranslation('data');
  const { who } = useImpersonation();
  const isSelf = who.kind === 'self';
  const { database, path, view, parameters, go, set } = location;
  const { mayChange } = useRights();
  const mayImport = mayChange && (isSelf || who.kind === 'other');
  const pathEdit = usePathEdit();
  const [importing, setImporting] = useState<{ readonly file: File | null } | null>(null);
  const searchField = useRef<HTMLInputElement>(null);
  const text = parameters.get('q');
  const isQuery = readQuery(parameters) !== null;
  const commands = useMemo(
    () => [
      {
        id: 'data.path',
        title: t('path.edit'),
        group: t('title'),
        keys: '/',
        run: pathEdit.begin,
      },
      {
        id: 'data.up',
        title: t('path.up'),
        group: t('title'),
        keys: 'alt+arrowup',
        run: () => go(parentOf(path)),
      },
      {
        id: 'data.search',
        title: t('search.label'),
        group: t('title'),
        keys: 's',
        run: () => searchField.current?.focus(),
      },
      {
        id: 'data.query',
        title: t('query.title'),
        group: t('title'),
        keys: 'f',
        run: () => set(queryParameters(NEW_QUERY)),
      },
      ...VIEWS.map((one) => ({
        id: `data.view.${one}`,
        title: t(`views.show.${one}`),
        group: t('title'),
        run: () => set({ view: one === 'tree' ? null : one }),
      })),
      ...(mayImport
        ? [
            {
              id: 'data.import',
              title: t('transfer.import'),
              group: t('title'),
              run: () => setImporting({ file: null }),
            },
          ]
        : []),
    ],
    [t, go, path, set, mayImport, pathEdit],
  );
  useCommands(commands);
  // The key resets selection and edits when the node, the database or the principal changes.
  const key = `${database}${path}${parameters.get(IMPERSONATED) ?? ''}`;
  return (
    <Page
      title={t('title')}
      actions={
        <>
          <ExportButton database={database} path={path} format="json" />
          {view === 'table' && <ExportButton database={database} path={path} format="csv" />}
          {mayImport && (
            <Button
              startIcon={<UploadIcon />}
              aria-label={t('transfer.import')}
              onClick={() => setImporting({ file: null })}
              sx={ICON_ON_PHONES}
            >
              <span>{t('transfer.import')}</span>
            </Button>
          )}
          <ToggleButtonGroup
            exclusive
            size="small"
            value={view}
            aria-label={t('views.label')}
            onChange={(_event, one: ViewKind | null) => {
              if (one !== null) set({ view: one === 'tree' ? null : one });
            }}
          >
            {VIEWS.map((one) => {
              const Icon = VIEW_ICONS[one];
              return (
                <ToggleButton key={one} value={one} aria-label={t(`views.show.${one}`)}>
                  <Hint title={t(`views.show.${one}`)}>
                    <Icon fontSize="small" />
                  </Hint>
                </ToggleButton>
              );
            })}
          </ToggleButtonGroup>
        </>
      }
    >
      <ImpersonationBar />
      <DropTarget take={mayImport ? (file) => setImporting({ file }) : null}>
        <DataBar location={location} isQuery={isQuery} search={searchField} pathEdit={pathEdit} />
        <StagingBar location={location} />
        <Suspense fallback={<LoadingBar />}>
          {who.kind !== 'self' && who.kind !== 'other' ? (
            <ImpersonationProblem who={who} />
          ) : text !== null ? (
            <SearchPanel key={key} location={location} text={text} />
          ) : isQuery ? (
            <QueryPanel key={key} location={location} />
          ) : view === 'tree' ? (
            <TreePanel key={key} location={location} />
          ) : view === 'table' ? (
            <TablePanel key={key} location={location} />
          ) : (
            <JsonPanel key={key} location={location} />
          )}
        </Suspense>
      </DropTarget>
      {importing !== null && (
        <ImportDialog
          database={database}
          path={path}
          file={importing.file}
          close={() => setImporting(null)}
        />
      )}
    </Page>
  );
}
