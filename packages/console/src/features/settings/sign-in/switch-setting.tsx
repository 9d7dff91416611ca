import Box from '@mui/material/Box';
import FormControlLabel from '@mui/material/FormControlLabel';
import Switch from '@mui/material/Switch';
import Typography from '@mui/material/Typography';
import { useId } from 'react';

interface SwitchSettingProps {
  readonly label: string;
  /** A sentence that explains the setting. */
  readonly about: string;
  readonly isOn: boolean;
  readonly isDisabled: boolean;
  readonly set: (isOn: boolean) => void;
}

/** A setting that is on or off. */
export function SwitchSetting({ label, about, isOn, isDisabled, set }: SwitchSettingProps) {
  const aboutId = useId();
  return (
    <Box>
      <FormControlLabel
        control={
          <Switch
            checked={isOn}
            disabled={isDisabled}
            onChange={(event) => set(event.target.checked)}
            slotProps={{ input: { 'aria-describedby': aboutId } }}
          />
        }
        label={label}
        slotProps={{ typography: { sx: { fontWeight: 500 } } }}
      />
      <Typography id={aboutId} variant="body2" color="textSecondary" sx={{ marginInlineStart: '47px' }}>
        {about}
      </Typography>
    </Box>
  );
}
