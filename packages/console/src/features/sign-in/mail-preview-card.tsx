import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { ForeignText } from '../../elements/foreign-text.tsx';
import { Loaded } from '../../elements/loaded.tsx';
import { SectionCard } from '../../elements/section-card.tsx';
import type { MailSample } from '../../server/mail.ts';
import { MONOSPACE } from '../../theme.ts';
import { MailPicture } from './mail-picture.tsx';
import { useMailPreview } from './use-mail.ts';

/** How a mail looks to whoever gets it, as its words are typed. */
export function MailPreviewCard({ sample }: { readonly sample: MailSample }) {
  const { t } = useTranslation('sign-in');
  const preview = useMailPreview(sample);
  const [parameters, setParameters] = useSearchParams();
  const isText = parameters.get('view') === 'text';
  return (
    <SectionCard
      title={t('preview.title')}
      actions={
        <ToggleButtonGroup
          exclusive
          size="small"
          aria-label={t('preview.form')}
          value={isText ? 'text' : 'html'}
          onChange={(_event, form: string | null) =>
            setParameters(
              (before) => {
                const others = [...before].filter(([name]) => name !== 'view');
                return new URLSearchParams(form === 'text' ? [...others, ['view', 'text']] : others);
              },
              { replace: true },
            )
          }
        >
          <ToggleButton value="html">{t('preview.html')}</ToggleButton>
          <ToggleButton value="text">{t('preview.text')}</ToggleButton>
        </ToggleButtonGroup>
      }
    >
      <Loaded of={preview}>
        {({ from, replyTo, subject, text, html }) => (
          <>
            <Box
              sx={{ display: 'grid', gridTemplateColumns: 'auto minmax(0, 1fr)', columnGap: 2, rowGap: 0.5 }}
            >
              <Head label={t('preview.subject')} text={subject} />
              <Head label={t('preview.from')} text={`${from.name} <${from.address}>`} />
              {replyTo !== null && <Head label={t('templates.replyTo')} text={replyTo} />}
            </Box>
            {isText ? (
              <Box
                component="pre"
                tabIndex={0}
                dir="auto"
                aria-label={t('preview.text')}
                sx={{ margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: MONOSPACE }}
              >
                {text}
              </Box>
            ) : (
              <MailPicture html={html} label={t('preview.title')} />
            )}
          </>
        )}
      </Loaded>
    </SectionCard>
  );
}

function Head({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <>
      <Typography variant="body2" color="textSecondary">
        {label}
      </Typography>
      <Typography variant="body2" sx={{ fontWeight: 500 }}>
        <ForeignText text={text} />
      </Typography>
    </>
  );
}
