import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { CodeText, showControls } from '../../../ui/text.tsx';
import { parseDraft, printExact, readLeaf, type ValueDraft } from '../model/leaf-value.ts';
import type { ValueEditor } from './value-editor.tsx';

interface ConflictDialogProps {
  readonly path: string;
  /** Both versions as text to show. */
  readonly theirs: string;
  readonly mine: string;
  readonly keepTheirs: () => void;
  readonly writeMine: () => void;
  readonly close: () => void;
}

/** Shows the user's version and that of another user, and asks which one to keep. */
export function ConflictDialog({ path, theirs, mine, keepTheirs, writeMine, close }: ConflictDialogProps) {
  const { t } = useTranslation('data');
  const titleId = useId();
  return (
    <Dialog open onClose={close} aria-labelledby={titleId} maxWidth="md" fullWidth>
      <DialogTitle id={titleId}>{t('conflict.title')}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>
          {t('conflict.text')} <CodeText>{showControls(path)}</CodeText>
        </Typography>
        <Box sx={{ display: 'grid', gridTemplateColumns: { sm: '1fr 1fr' }, gap: 2 }}>
          <Version title={t('conflict.theirs')} text={theirs} />
          <Version title={t('conflict.mine')} text={mine} />
        </Box>
      </DialogContent>
      <DialogActions sx={{ flexWrap: 'wrap' }}>
        <Button onClick={close}>{t('conflict.back')}</Button>
        <Button onClick={writeMine} color="error">
          {t('conflict.writeMine')}
        </Button>
        <Button onClick={keepTheirs} variant="contained" autoFocus>
          {t('conflict.keepTheirs')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** Maximum length of a shown version in UTF-16 code units. */
const MAX_SHOWN = 10_000;

function Version({ title, text }: { readonly title: string; readonly text: string }) {
  const titleId = useId();
  return (
    <Box component="section" aria-labelledby={titleId} sx={{ minWidth: 0 }}>
      <Typography id={titleId} variant="h3" component="h3">
        {title}
      </Typography>
      <Box
        component="pre"
        dir="ltr"
        tabIndex={0}
        sx={{
          margin: 0,
          marginBlockStart: 1,
          padding: 1,
          border: 1,
          borderColor: 'divider',
          borderRadius: 1,
          maxHeight: '40vh',
          overflow: 'auto',
          whiteSpace: 'pre-wrap',
          overflowWrap: 'anywhere',
          fontFamily: MONOSPACE,
          fontSize: '0.875rem',
        }}
      >
        {text.slice(0, MAX_SHOWN).split('\n').map(showControls).join('\n')}
      </Box>
    </Box>
  );
}

interface EditConflictProps {
  readonly editor: ValueEditor;
  readonly close: () => void;
}

/** Shows the conflict dialog after a save that failed because another user changed the value. */
export function EditConflict({ editor, close }: EditConflictProps) {
  const { edit } = editor;
  if (edit?.phase.kind !== 'stale') return null;
  return (
    <ConflictDialog
      path={edit.path}
      theirs={printExact(readLeaf(edit.phase.current.text).value)}
      mine={printDraft(edit.draft)}
      keepTheirs={close}
      writeMine={editor.overwrite}
      close={() => editor.change(edit.draft)}
    />
  );
}

function printDraft(draft: ValueDraft): string {
  const parsed = parseDraft(draft);
  return parsed.kind === 'value' ? printExact(parsed.value) : draft.text;
}
