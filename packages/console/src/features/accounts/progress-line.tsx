import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';

interface ProgressLineProps {
  readonly label: string;
  /** From 0 to 1. */
  readonly share: number;
}

/** How much of something long is done. */
export function ProgressLine({ label, share }: ProgressLineProps) {
  const { i18n } = useTranslation();
  const percent = new Intl.NumberFormat(i18n.language, { style: 'percent' }).format(Math.min(1, share));
  return (
    <Box>
      <Typography>
        {label} {percent}
      </Typography>
      <LinearProgress variant="determinate" aria-label={label} value={Math.min(100, share * 100)} />
    </Box>
  );
}
