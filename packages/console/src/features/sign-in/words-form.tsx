import { directionOf, type Language } from '@hearth/pages/shell/language.ts';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { CodeText } from '../../elements/code-text.tsx';
import type { MailKind } from '../../server/mail.ts';
import { MONOSPACE } from '../../theme.ts';
import { BODY_KINDS, type MailWords, VARIABLES } from './mail-words.ts';

interface WordsFormProps {
  readonly mail: MailKind;
  readonly language: Language;
  readonly words: MailWords;
  readonly mayChange: boolean;
  readonly change: (part: Partial<MailWords>) => void;
  /** Goes back to the usual words; `null` where there are no others. */
  readonly clear: (() => void) | null;
}

/** What a mail begins a body with, so that its link is not forgotten. */
const FIRST_LINK = '%LINK%';

/** A project's own words for a mail; what is left empty is as usual. */
export function WordsForm({ mail, language, words, mayChange, change, clear }: WordsFormProps) {
  const { t } = useTranslation('sign-in');
  const direction = directionOf(language);
  const variables = VARIABLES[mail];
  const firstBody = variables.includes('LINK') ? FIRST_LINK : '%APP_NAME%';
  return (
    <>
      {(['subject', 'senderName', 'replyTo'] as const).map((field) => (
        <TextField
          key={field}
          label={t(`templates.${field}`)}
          value={words[field]}
          onChange={(event) => change({ [field]: event.target.value })}
          slotProps={{
            input: { readOnly: !mayChange },
            htmlInput: { dir: field === 'replyTo' ? 'ltr' : direction, lang: language },
          }}
        />
      ))}
      <TextField
        select
        label={t('templates.body')}
        value={words.bodyKind}
        disabled={!mayChange}
        onChange={(event) => {
          const bodyKind = BODY_KINDS.find((kind) => kind === event.target.value) ?? 'usual';
          change({ bodyKind, ...(words.body === '' ? { body: firstBody } : {}) });
        }}
      >
        {BODY_KINDS.map((kind) => (
          <MenuItem key={kind} value={kind}>
            {t(`templates.bodies.${kind}`)}
          </MenuItem>
        ))}
      </TextField>
      {words.bodyKind !== 'usual' && (
        <TextField
          multiline
          minRows={8}
          maxRows={24}
          label={t('templates.content')}
          value={words.body}
          onChange={(event) => change({ body: event.target.value })}
          slotProps={{
            input: {
              readOnly: !mayChange,
              sx: words.bodyKind === 'html' ? { fontFamily: MONOSPACE, fontSize: '0.875rem' } : {},
            },
            htmlInput: { dir: words.bodyKind === 'html' ? 'ltr' : direction, lang: language },
          }}
        />
      )}
      <Typography variant="body2" color="textSecondary">
        {t('templates.variables')}{' '}
        {variables.map((name) => (
          <Box component="span" key={name} sx={{ marginInlineEnd: 1 }}>
            <CodeText>{`%${name}%`}</CodeText>
          </Box>
        ))}
      </Typography>
      {clear !== null && mayChange && (
        <Button onClick={clear} sx={{ alignSelf: 'start' }}>
          {t('templates.clear')}
        </Button>
      )}
    </>
  );
}
