import AddIcon from '@mui/icons-material/Add';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { isForbidden } from '../../../api/client.ts';
import { dataAddress, rulesAddress } from '../../../session/addresses.ts';
import { useMeasure } from '../../../session/databases.ts';
import { useProjectId, useRights } from '../../../session/session.ts';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionHead } from '../../../ui/sections.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { CodeText, printBytes } from '../../../ui/text.tsx';
import { useDatabaseList } from './use-project.ts';

interface DatabaseSizeProps {
  readonly database: string;
}

/** Measures the size of a database, and shows the result so far. */
function DatabaseSize({ database }: DatabaseSizeProps) {
  const { t, i18n } = useTranslation('project');
  const { measure, error, restart } = useMeasure(database);
  if (isForbidden(error)) return t('failure.forbidden', { ns: 'shell' });
  if (error !== undefined)
    return (
      <>
        {t('databases.unmeasured')}{' '}
        <Button size="small" onClick={restart}>
          {t('retry', { ns: 'shell' })}
        </Button>
      </>
    );
  if (measure === undefined) return t('databases.measuring');
  const bytes = printBytes(measure.bytes, i18n.language);
  return measure.isComplete ? bytes : t('databases.sizeSoFar', { bytes });
}

/** Maximum number of measured databases in the list, because measuring reads a whole database. */
const MAX_MEASURED = 10;

/** Lists the databases of the project with their sizes. */
export function DatabasesSection() {
  const { t } = useTranslation('project');
  const project = useProjectId();
  const { mayOwn } = useRights();
  const { databases, create } = useDatabaseList();
  const [name, setName] = useState<string>();
  return (
    <>
      <SectionHead
        text={t('databases.about')}
        action={
          mayOwn && (
            <Button variant="contained" startIcon={<AddIcon />} onClick={() => setName(`${project}-`)}>
              {t('databases.add')}
            </Button>
          )
        }
      />
      <Loaded of={databases}>
        {(names) =>
          names.length === 0 ? (
            <EmptyState title={t('databases.none')}>{t('databases.noneHint')}</EmptyState>
          ) : (
            <PlainTable
              label={t('section.databases')}
              head={[t('databases.name'), t('databases.holds'), t('actions')]}
              rows={names.map((database, index) => ({
                key: database,
                cells: [
                  <CodeText key="name">{database}</CodeText>,
                  index < MAX_MEASURED && <DatabaseSize key="size" database={database} />,
                  <span key="links">
                    <Link
                      component={RouterLink}
                      to={dataAddress(project, database)}
                      sx={{ marginInlineEnd: 2 }}
                    >
                      {t('databases.data')}
                    </Link>
                    <Link component={RouterLink} to={rulesAddress(project, database)}>
                      {t('databases.rules')}
                    </Link>
                  </span>,
                ],
              }))}
            />
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={name !== undefined}
        title={t('databases.add')}
        action={t('databases.add')}
        run={async () => {
          await create(name ?? '');
          notify({ kind: 'done', text: t('databases.added', { name }) });
        }}
        close={() => setName(undefined)}
      >
        <TextField
          required
          autoFocus
          label={t('databases.name')}
          helperText={t('databases.nameHint')}
          value={name ?? ''}
          onChange={({ target }) => setName(target.value)}
          slotProps={{ htmlInput: { pattern: '[a-z0-9][a-z0-9\\-]*', dir: 'ltr' } }}
          sx={{ marginBlockStart: 1 }}
        />
      </ConfirmDialog>
    </>
  );
}

/** Lets an owner erase all data of a database, which cannot be undone. */
export function EraseSection() {
  const { t } = useTranslation('project');
  const { mayOwn } = useRights();
  const { databases, erase } = useDatabaseList();
  const [chosen, setChosen] = useState<string>();
  return (
    <>
      <SectionHead text={t(mayOwn ? 'erase.about' : 'erase.ownersOnly')} />
      {mayOwn && (
        <Loaded of={databases}>
          {(names) =>
            names.length === 0 ? (
              <EmptyState title={t('databases.none')} />
            ) : (
              <Paper variant="outlined" sx={{ borderColor: 'error.main' }}>
                {names.map((database) => (
                  <Typography
                    key={database}
                    component="div"
                    sx={{ display: 'flex', alignItems: 'center', flexWrap: 'wrap', gap: 2, padding: 2 }}
                  >
                    <span style={{ flex: 1 }}>
                      <CodeText>{database}</CodeText>
                    </span>
                    <Button
                      color="error"
                      variant="outlined"
                      aria-label={`${t('erase.data')}: ${database}`}
                      onClick={() => setChosen(database)}
                    >
                      {t('erase.data')}
                    </Button>
                  </Typography>
                ))}
              </Paper>
            )
          }
        </Loaded>
      )}
      <ConfirmDialog
        isOpen={chosen !== undefined}
        isDestructive
        title={t('erase.title', { name: chosen })}
        action={t('erase.data')}
        typed={chosen ?? ''}
        run={async () => {
          if (chosen === undefined) return;
          await erase(chosen);
          notify({ kind: 'done', text: t('erase.done', { name: chosen }) });
        }}
        close={() => setChosen(undefined)}
      >
        <Typography>{t('erase.text')}</Typography>
        {chosen !== undefined && (
          <Typography sx={{ fontWeight: 650 }}>
            <DatabaseSize database={chosen} />
          </Typography>
        )}
      </ConfirmDialog>
    </>
  );
}
