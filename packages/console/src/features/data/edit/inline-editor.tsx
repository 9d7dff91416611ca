import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import InputBase from '@mui/material/InputBase';
import NativeSelect from '@mui/material/NativeSelect';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { MONOSPACE } from '../../../theme.ts';
import { changeKind, VALUE_KINDS } from './leaf-text.ts';
import type { ValueEdit, ValueEditor } from './use-value-edit.ts';

interface InlineEditorProps {
  readonly editor: ValueEditor;
  readonly edit: ValueEdit;
  readonly label: string;
  /** The value as it is by now, if that is not what was seen. */
  readonly otherValue: string | null;
  readonly close: () => void;
}

/** A value in a line, while it is edited. */
export function InlineEditor({ editor, edit, label, otherValue, close }: InlineEditorProps) {
  const { t } = useTranslation('data');
  const { draft, phase } = edit;
  const isSaving = phase.kind === 'saving';
  return (
    <Box
      component="form"
      data-editor
      onSubmit={(event) => {
        event.preventDefault();
        editor.save();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
      sx={{ display: 'flex', alignItems: 'center', gap: 1, width: '100%' }}
    >
      <NativeSelect
        variant="standard"
        value={draft.kind}
        onChange={({ target }) => {
          const kind = VALUE_KINDS.find((one) => one === target.value);
          if (kind !== undefined) editor.change(changeKind(draft, kind));
        }}
        inputProps={{ 'aria-label': t('edit.kind') }}
        sx={{ fontSize: 'inherit', flexShrink: 0 }}
      >
        {VALUE_KINDS.map((kind) => (
          <option key={kind} value={kind}>
            {t(`kinds.${kind}`)}
          </option>
        ))}
      </NativeSelect>
      {draft.kind === 'boolean' ? (
        <NativeSelect
          variant="standard"
          inputRef={editor.focusField}
          value={draft.text}
          onChange={({ target }) => editor.change({ kind: 'boolean', text: target.value })}
          inputProps={{ 'aria-label': label }}
          sx={{ fontFamily: MONOSPACE, fontSize: 'inherit' }}
        >
          <option value="true">true</option>
          <option value="false">false</option>
        </NativeSelect>
      ) : (
        <InputBase
          inputRef={editor.focusField}
          readOnly={isSaving}
          value={draft.text}
          onChange={({ target }) => editor.change({ ...draft, text: target.value })}
          inputProps={{
            'aria-label': label,
            'aria-invalid': phase.kind === 'problem',
            dir: draft.kind === 'string' ? 'auto' : 'ltr',
          }}
          sx={{
            flex: 1,
            minWidth: 80,
            fontFamily: MONOSPACE,
            fontSize: 'inherit',
            borderBlockEnd: 2,
            borderColor: phase.kind === 'problem' ? 'error.main' : 'primary.main',
          }}
        />
      )}
      <Typography
        variant="body2"
        component="span"
        role="status"
        color={phase.kind === 'problem' || phase.kind === 'failed' ? 'error' : 'warning'}
        noWrap
      >
        {phase.kind === 'problem' && t(`edit.problem.${phase.problem}`)}
        {phase.kind === 'waiting' && t('edit.waiting')}
        {phase.kind === 'failed' &&
          (phase.error instanceof Error ? phase.error.message : String(phase.error))}
        {phase.kind === 'editing' && otherValue !== null && t('edit.changedMeanwhile', { value: otherValue })}
      </Typography>
      <Button type="submit" size="small" loading={isSaving} sx={{ paddingBlock: 0, minWidth: 0 }}>
        {t(editor.isStaged ? 'staged.stage' : 'edit.save')}
      </Button>
      <Button size="small" color="inherit" onClick={close} sx={{ paddingBlock: 0, minWidth: 0 }}>
        {t('edit.cancel')}
      </Button>
    </Box>
  );
}
