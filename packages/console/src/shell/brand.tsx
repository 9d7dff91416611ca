import Box from '@mui/material/Box';
import icon from '../icon.svg';

interface BrandProps {
  /** The narrowest windows in which the name stands next to the logo; the logo is always shown. */
  readonly nameFrom: 'xs' | 'md';
}

/** The logo and the name of Hearth. */
export function Brand({ nameFrom }: BrandProps) {
  return (
    <Box component="span" sx={{ display: 'inline-flex', alignItems: 'center', gap: 1 }}>
      <img src={icon} alt="" width={24} height={24} />
      <Box
        component="span"
        lang="en"
        sx={{ display: { xs: 'none', [nameFrom]: 'inline' }, fontSize: '1.0625rem', fontWeight: 700 }}
      >
        Hearth
      </Box>
    </Box>
  );
}
