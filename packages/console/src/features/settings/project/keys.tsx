import AddIcon from '@mui/icons-material/Add';
import DeleteIcon from '@mui/icons-material/DeleteOutlined';
import Button from '@mui/material/Button';
import IconButton from '@mui/material/IconButton';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-and-save.tsx';
import { ConfirmDialog } from '../../../ui/dialogs.tsx';
import { notify } from '../../../ui/notices.tsx';
import { SectionHead } from '../../../ui/sections.tsx';
import { EmptyState, Loaded } from '../../../ui/states.tsx';
import { PlainTable } from '../../../ui/tables.tsx';
import { CodeText } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';
import { useKeys } from './use-project.ts';

/** Lists the API keys. An app sends a key to name its project. */
export function KeysSection() {
  const { t } = useTranslation('project');
  const { keys, add, remove } = useKeys();
  const [isAdding, setIsAdding] = useState(false);
  const [removing, setRemoving] = useState<string>();
  const isReady = keys.kind === 'ready';
  return (
    <>
      <SectionHead
        text={t('keys.about')}
        action={
          isReady && (
            <Button variant="contained" startIcon={<AddIcon />} onClick={() => setIsAdding(true)}>
              {t('keys.add')}
            </Button>
          )
        }
      />
      <Loaded of={keys}>
        {(list) =>
          list.length === 0 ? (
            <EmptyState title={t('keys.none')}>{t('keys.noneHint')}</EmptyState>
          ) : (
            <PlainTable
              label={t('section.keys')}
              head={[t('keys.key'), t('keys.since'), t('actions')]}
              rows={list.map(({ apiKey, createdAtMs }) => ({
                key: apiKey,
                cells: [
                  <CodeText key="key">{apiKey}</CodeText>,
                  <TimeText key="since" ms={createdAtMs} />,
                  <span key="actions">
                    <CopyButton text={apiKey} label={t('keys.copyOf', { key: apiKey })} />
                    <IconButton
                      size="small"
                      aria-label={t('keys.removeOf', { key: apiKey })}
                      onClick={() => setRemoving(apiKey)}
                    >
                      <DeleteIcon />
                    </IconButton>
                  </span>,
                ],
              }))}
            />
          )
        }
      </Loaded>
      <ConfirmDialog
        isOpen={isAdding}
        title={t('keys.addTitle')}
        action={t('keys.add')}
        run={async () => {
          await add();
          notify({ kind: 'done', text: t('keys.added') });
        }}
        close={() => setIsAdding(false)}
      >
        {t('keys.addText')}
      </ConfirmDialog>
      <ConfirmDialog
        isOpen={removing !== undefined}
        isDestructive
        title={t('keys.removeTitle')}
        action={t('keys.remove')}
        typed={removing?.slice(-6) ?? ''}
        run={async () => {
          if (removing === undefined) return;
          await remove(removing);
          notify({ kind: 'done', text: t('keys.removed') });
        }}
        close={() => setRemoving(undefined)}
      >
        {t('keys.removeText')}
      </ConfirmDialog>
    </>
  );
}
