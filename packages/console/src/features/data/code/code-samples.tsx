import CodeIcon from '@mui/icons-material/Code';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../elements/copy-button.tsx';
import { MONOSPACE } from '../../../theme.ts';
import type { NodePath } from '../model/node-path.ts';
import type { NodeQuery } from '../query/node-query.ts';
import { CODE_LANGUAGES, type CodeLanguage, printIndexRules, printQueryCode } from './query-code.ts';

interface CodeSamplesProps {
  readonly database: string;
  readonly path: NodePath;
  readonly query: NodeQuery | null;
}

/** Names of languages are names everywhere. */
const NAMES: Readonly<Record<CodeLanguage, string>> = {
  js: 'JavaScript',
  admin: 'Admin (Node.js)',
  kotlin: 'Kotlin',
  swift: 'Swift',
  rest: 'REST',
};

/** Shows what is on the page as code for an app. */
export function CodeSamples({ database, path, query }: CodeSamplesProps) {
  const { t } = useTranslation('data');
  const [isOpen, setOpen] = useState(false);
  const [language, setLanguage] = useState<CodeLanguage>('js');
  const titleId = useId();
  const code = printQueryCode(language, { database, path, query, origin: location.origin });
  const rules = printIndexRules(path, query);
  return (
    <>
      <Button startIcon={<CodeIcon />} onClick={() => setOpen(true)} sx={{ alignSelf: 'flex-start' }}>
        {t('code.title')}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} aria-labelledby={titleId} maxWidth="md" fullWidth>
        <DialogTitle id={titleId}>{t('code.title')}</DialogTitle>
        <DialogContent sx={{ display: 'flex', flexDirection: 'column', gap: 2 }}>
          <Tabs
            value={language}
            variant="scrollable"
            aria-label={t('code.language')}
            onChange={(_event, one: CodeLanguage) => setLanguage(one)}
          >
            {CODE_LANGUAGES.map((one) => (
              <Tab key={one} value={one} label={NAMES[one]} />
            ))}
          </Tabs>
          <Code text={code} label={t('code.copy')} />
          {rules !== null && (
            <>
              <Typography>{t('code.index')}</Typography>
              <Code text={rules} label={t('code.copyRules')} />
            </>
          )}
        </DialogContent>
        <DialogActions>
          <Button onClick={() => setOpen(false)} autoFocus>
            {t('code.close')}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Box sx={{ position: 'relative' }}>
      <Box
        component="pre"
        dir="ltr"
        tabIndex={0}
        sx={{
          margin: 0,
          padding: 2,
          paddingInlineEnd: 6,
          bgcolor: 'action.hover',
          borderRadius: 1,
          overflow: 'auto',
          fontFamily: MONOSPACE,
          fontSize: '0.8125rem',
        }}
      >
        {text}
      </Box>
      <Box sx={{ position: 'absolute', insetBlockStart: 8, insetInlineEnd: 8 }}>
        <CopyButton text={text} label={label} />
      </Box>
    </Box>
  );
}
