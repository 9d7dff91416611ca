import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';

interface FigureGridProps {
  readonly figures: readonly {
    /** What it counts. */
    readonly name: string;
    /** With its unit. */
    readonly text: string;
  }[];
}

/** Figures side by side, as many as there is room for. */
export function FigureGrid({ figures }: FigureGridProps) {
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gridTemplateColumns: 'repeat(auto-fill, minmax(8.5rem, 1fr))',
        gap: 1.5,
        margin: 0,
      }}
    >
      {figures.map(({ name, text }) => (
        <Paper key={name} variant="outlined" sx={{ padding: 1.5 }}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography
            component="dd"
            sx={{ margin: 0, fontSize: '1.25rem', fontVariantNumeric: 'tabular-nums' }}
          >
            {text}
          </Typography>
        </Paper>
      ))}
    </Box>
  );
}
