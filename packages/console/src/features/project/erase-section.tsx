import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../elements/code-text.tsx';
import { ConfirmDialog } from '../../elements/confirm-dialog.tsx';
import { EmptyState } from '../../elements/empty-state.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { tell } from '../../notices/notices.ts';
import { useRights } from '../../session/session.ts';
import { DatabaseSize } from './database-size.tsx';
import { SectionHead } from './section-head.tsx';
import { useDatabases } from './use-databases.ts';

/** What cannot be taken back. */
export function EraseSection() {
  const { t } = useTranslation('project');
  const { mayOwn } = useRights();
  const { databases, erase } = useDatabases();
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
          tell({ kind: 'done', text: t('erase.done', { name: chosen }) });
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
