import { unifiedMergeView } from '@codemirror/merge';
import type { Extension } from '@codemirror/state';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CurrentRules } from '../../../api/rules.ts';
import { CodeEditor } from '../code/code-editor.tsx';
import { RULES_LANGUAGE } from '../code/highlighting.ts';
import type { Draft } from '../code/revisions.ts';

interface DifferenceViewProps {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Shows the changes from one version of rules to another, with unchanged lines collapsed. */
export function DifferenceView({ label, before, after }: DifferenceViewProps) {
  const extensions = useMemo(
    (): Extension => [
      RULES_LANGUAGE,
      unifiedMergeView({
        original: before,
        mergeControls: false,
        syntaxHighlightDeletions: false,
        collapseUnchanged: { margin: 3, minSize: 6 },
      }),
    ],
    [before],
  );
  return <CodeEditor label={label} text={after} extensions={extensions} />;
}

interface MergeDialogProps {
  readonly isOpen: boolean;
  readonly database: string;
  readonly current: CurrentRules;
  readonly draft: Draft;
  /** Called with the merged text, which is based on the current rules. */
  readonly merged: (source: string) => void;
  readonly close: () => void;
}

/** Merges a draft, change by change, with rules that another user has published since the draft was begun. */
export function MergeDialog(props: MergeDialogProps) {
  const titleId = useId();
  return (
    <Dialog open={props.isOpen} onClose={props.close} aria-labelledby={titleId} maxWidth="lg" fullWidth>
      {props.isOpen && <MergeForm {...props} titleId={titleId} />}
    </Dialog>
  );
}

function MergeForm({
  database,
  current,
  draft,
  merged,
  close,
  titleId,
}: MergeDialogProps & { readonly titleId: string }) {
  const { t } = useTranslation('rules');
  const { t: shared } = useTranslation();
  const [text, setText] = useState(draft.source);
  const extensions = useMemo(
    (): Extension => [
      RULES_LANGUAGE,
      unifiedMergeView({
        original: current.source,
        syntaxHighlightDeletions: false,
        mergeControls: (type, action) => {
          const button = document.createElement('button');
          button.name = type;
          button.textContent = t(type === 'accept' ? 'merge.mine' : 'merge.theirs');
          button.addEventListener('mousedown', action);
          // A key press on a button causes no mousedown event.
          button.addEventListener('click', (event) => {
            if (event.detail === 0) action(event);
          });
          return button;
        },
      }),
    ],
    [current.source, t],
  );
  return (
    <>
      <DialogTitle id={titleId}>{t('merge.title', { id: current.id })}</DialogTitle>
      <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
        <Typography>{t('merge.about')}</Typography>
        <Box
          sx={{
            height: '50vh',
            display: 'flex',
            border: 1,
            borderColor: 'divider',
            borderRadius: 1,
            overflow: 'hidden',
          }}
        >
          <CodeEditor
            label={t('merge.label', { database })}
            text={text}
            change={setText}
            extensions={extensions}
          />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button onClick={close}>{shared('cancel')}</Button>
        <Button variant="contained" onClick={() => merged(text)}>
          {t('merge.done')}
        </Button>
      </DialogActions>
    </>
  );
}
