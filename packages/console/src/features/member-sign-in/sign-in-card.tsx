import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { type ReactNode, useEffect } from 'react';
import { PreferencesButton } from '../../elements/preferences-button.tsx';
import icon from '../../icon.svg';

interface SignInCardProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** A step on the way into the console, alone on the page. */
export function SignInCard({ title, children }: SignInCardProps) {
  useEffect(() => {
    document.title = `${title} · Hearth`;
  }, [title]);
  return (
    <Box
      sx={{
        minHeight: '100dvh',
        display: 'flex',
        flexDirection: 'column',
        backgroundColor: 'background.default',
      }}
    >
      <Box sx={{ display: 'flex', justifyContent: 'flex-end', padding: 1 }}>
        <PreferencesButton />
      </Box>
      <Box component="main" sx={{ flex: 1, display: 'flex', justifyContent: 'center', padding: 2 }}>
        <Paper
          variant="outlined"
          sx={{
            alignSelf: 'flex-start',
            marginBlockStart: { sm: '6dvh' },
            width: '100%',
            maxWidth: 420,
            padding: { xs: 2, sm: 4 },
            display: 'flex',
            flexDirection: 'column',
            gap: 2,
          }}
        >
          <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center' }}>
            <img src={icon} alt="" width={32} height={32} />
            <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
              {title}
            </Typography>
          </Box>
          {children}
        </Paper>
      </Box>
    </Box>
  );
}
