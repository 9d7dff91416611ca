import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { CopyButton } from '../../elements/copy-button.tsx';
import { useSession } from '../../session/session.ts';
import { MONOSPACE } from '../../theme.ts';
import { PLATFORMS, snippetOf } from './snippets.ts';

/** Names of platforms are the same in every language. */
const NAMES = {
  js: 'JavaScript',
  admin: 'Admin SDK',
  kotlin: 'Kotlin',
  swift: 'Swift',
  rest: 'REST',
} as const;

interface ConnectAppProps {
  readonly database: string;
}

/** The lines that point an app at this server, for each kind of app. */
export function ConnectApp({ database }: ConnectAppProps) {
  const { t } = useTranslation('overview');
  const id = useId();
  const [parameters, setParameters] = useSearchParams();
  const { mode } = useSession().parameters;
  const platform = PLATFORMS.find((one) => one === parameters.get('platform')) ?? 'js';
  const text = snippetOf(platform, { mode, origin: location.origin, database });
  return (
    <Box>
      <Tabs
        value={platform}
        variant="scrollable"
        allowScrollButtonsMobile
        aria-label={t('connect.platforms')}
        onChange={(_event, chosen: string) =>
          setParameters(
            (before) => new URLSearchParams({ ...Object.fromEntries(before), platform: chosen }),
            {
              replace: true,
            },
          )
        }
        sx={{ minHeight: 40, borderBlockEnd: 1, borderColor: 'divider' }}
      >
        {PLATFORMS.map((one) => (
          <Tab
            key={one}
            value={one}
            id={`${id}-${one}`}
            aria-controls={`${id}-lines`}
            label={NAMES[one]}
            sx={{ minHeight: 40 }}
          />
        ))}
      </Tabs>
      <Box
        id={`${id}-lines`}
        role="tabpanel"
        aria-labelledby={`${id}-${platform}`}
        sx={{ display: 'flex', alignItems: 'flex-start', gap: 1, paddingBlockStart: 1 }}
      >
        <Box
          component="pre"
          dir="ltr"
          // Long lines scroll, which the keyboard must be able to do, too.
          tabIndex={0}
          sx={{
            flex: 1,
            minWidth: 0,
            overflowX: 'auto',
            margin: 0,
            padding: 1.5,
            borderRadius: 1,
            border: 1,
            borderColor: 'divider',
            backgroundColor: 'background.default',
            fontFamily: MONOSPACE,
            fontSize: '0.8125rem',
            lineHeight: 1.7,
          }}
        >
          {text}
        </Box>
        <CopyButton text={text} label={t('connect.copy')} />
      </Box>
      <Typography variant="body2" color="textSecondary" sx={{ marginBlockStart: 1 }}>
        {t(`connect.notes.${mode}.${platform}`)}
      </Typography>
    </Box>
  );
}
