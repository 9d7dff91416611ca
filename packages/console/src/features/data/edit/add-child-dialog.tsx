import { isKey } from '@hearth/core/tree/key.ts';
import { pushKey } from '@hearth/core/tree/push-key.ts';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../../elements/code-text.tsx';
import { ConfirmDialog } from '../../../elements/confirm-dialog.tsx';
import { showControls } from '../../../elements/show-controls.ts';
import { MONOSPACE } from '../../../theme.ts';
import type { NodePath } from '../model/node-path.ts';
import { changeKind, parseDraft, VALUE_KINDS, type ValueDraft } from './leaf-text.ts';

interface AddChildDialogProps {
  /** Where the child is to be; `null` while the dialog is closed. */
  readonly parent: NodePath | null;
  /** Rejects with a sentence for whoever adds it. */
  readonly add: (parent: NodePath, key: string, value: unknown) => Promise<void>;
  readonly close: () => void;
}

/** Asks for key and value of a new child. */
export function AddChildDialog({ parent, add, close }: AddChildDialogProps) {
  return parent === null ? null : <AddChildForm parent={parent} add={add} close={close} />;
}

function AddChildForm({ parent, add, close }: AddChildDialogProps & { readonly parent: NodePath }) {
  const { t } = useTranslation('data');
  const [key, setKey] = useState('');
  const [draft, setDraft] = useState<ValueDraft>({ kind: 'string', text: '' });
  const isBadKey = key !== '' && !isKey(key);
  const parsed = parseDraft(draft);
  return (
    <ConfirmDialog
      isOpen
      title={t('add.title')}
      action={t('add.action')}
      run={async () => {
        if (!isKey(key)) throw new Error(t('add.keyRule'));
        if (parsed.kind === 'problem') throw new Error(t(`edit.problem.${parsed.problem}`));
        await add(parent, key, parsed.value);
      }}
      close={close}
    >
      <span>
        {t('add.to')} <CodeText>{showControls(parent)}</CodeText>
      </span>
      <TextField
        autoFocus
        required
        fullWidth
        label={t('add.key')}
        value={key}
        error={isBadKey}
        helperText={isBadKey ? t('add.keyRule') : t('add.keyHint')}
        onChange={({ target }) => setKey(target.value)}
        slotProps={{
          htmlInput: { dir: 'auto', style: { fontFamily: MONOSPACE }, autoComplete: 'off' },
          input: {
            endAdornment: (
              <Button size="small" onClick={() => setKey(newPushKey())} sx={{ flexShrink: 0 }}>
                {t('add.pushKey')}
              </Button>
            ),
          },
        }}
      />
      <TextField
        select
        label={t('edit.kind')}
        value={draft.kind}
        onChange={({ target }) => {
          const kind = VALUE_KINDS.find((one) => one === target.value);
          if (kind !== undefined) setDraft(changeKind(draft, kind));
        }}
      >
        {VALUE_KINDS.map((kind) => (
          <MenuItem key={kind} value={kind}>
            {t(`kinds.${kind}`)}
          </MenuItem>
        ))}
      </TextField>
      {draft.kind === 'boolean' ? (
        <TextField
          select
          label={t('add.value')}
          value={draft.text}
          onChange={({ target }) => setDraft({ kind: 'boolean', text: target.value })}
        >
          <MenuItem value="true">true</MenuItem>
          <MenuItem value="false">false</MenuItem>
        </TextField>
      ) : (
        <TextField
          fullWidth
          label={t('add.value')}
          value={draft.text}
          multiline={draft.kind !== 'number'}
          maxRows={12}
          error={draft.text !== '' && parsed.kind === 'problem'}
          helperText={
            draft.text !== '' && parsed.kind === 'problem' ? t(`edit.problem.${parsed.problem}`) : ' '
          }
          onChange={({ target }) => setDraft({ ...draft, text: target.value })}
          slotProps={{
            htmlInput: { dir: draft.kind === 'string' ? 'auto' : 'ltr', style: { fontFamily: MONOSPACE } },
          }}
        />
      )}
    </ConfirmDialog>
  );
}

function newPushKey(): string {
  return pushKey(Date.now(), crypto.getRandomValues(new Uint8Array(12)), undefined).key;
}
